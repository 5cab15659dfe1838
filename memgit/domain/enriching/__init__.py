"""Words that people type and a memory does not contain: tried, kept or dropped."""
