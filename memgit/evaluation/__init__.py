"""Measurements of memgit itself; nothing here runs in daily use."""
