"""Taking over memories from elsewhere: found, read, placed, linked, and committed once."""
