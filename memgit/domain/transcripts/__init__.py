"""Transcripts: what a session of an agent left on the disk, read as turns."""
