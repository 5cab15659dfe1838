"""Tests against the real Claude Code CLI, offline: `claude` and `messages_api` are the fixtures.

The one rule: the host is real, only the model is scripted.
"""
