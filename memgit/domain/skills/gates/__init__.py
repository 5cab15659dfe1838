"""The gates of drafts: what a skill must be before a person is even asked."""
