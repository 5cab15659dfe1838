"""The model door: instructions, data and a JSON schema go in, a validated object comes out."""
