"""What curating looks for: by rules, and by asking about pairs that may contradict each other."""
