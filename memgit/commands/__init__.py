"""What a person types: one file per verb. A command opens the store, calls the domain, prints."""
