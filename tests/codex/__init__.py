"""Tests against the real Codex CLI, offline."""
