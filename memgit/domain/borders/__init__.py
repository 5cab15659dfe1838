"""What a store and a project's own guides say differently."""
