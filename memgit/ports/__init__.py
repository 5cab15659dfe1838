"""One outside thing each, imported in one place only, and only when it is needed."""
