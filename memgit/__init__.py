"""memgit: memory that a coding agent can trust, as plain files in git.

Nothing is imported here: the prompt hook passes through this file on every prompt.
"""

__version__ = "0.1.0"
