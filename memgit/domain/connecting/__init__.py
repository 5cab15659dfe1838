"""What makes a repository a store and an agent its reader: files, git hooks, settings."""
