"""What memories claim of the world, and what may be said of it: claims, probes, verdicts, roots."""
