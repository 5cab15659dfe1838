"""The queue: sessions that have something to harvest, how far each was read, and what failed."""
