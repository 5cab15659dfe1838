"""Harvesting: what of a session may become a memory, as far as code alone can tell."""
