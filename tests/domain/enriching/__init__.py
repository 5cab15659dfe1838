"""Words that lead to memories."""
