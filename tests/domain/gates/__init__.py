"""The gates, family by family."""
