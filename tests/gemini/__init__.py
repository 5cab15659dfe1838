"""Tests against the real Gemini CLI, offline."""
