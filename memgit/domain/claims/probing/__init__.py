"""Probes: each a plain function of its arguments and the scene, that says what it saw."""
