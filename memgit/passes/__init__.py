"""Passes: harvest, enrich, curate, verify. They yield proposals and verdicts, and write nothing."""
