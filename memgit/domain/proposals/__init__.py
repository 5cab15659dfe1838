"""Proposals: what passes and people's tools suggest, what guards say of it, and the one door."""
