"""Pages: one HTML file that needs nothing else, made of values, in two languages."""
