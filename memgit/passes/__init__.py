"""Passes over a store: each yields proposals or verdicts, and writes nothing."""
