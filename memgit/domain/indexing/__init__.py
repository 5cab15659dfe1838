"""The index and the recall table: what they hold of a memory, and how they keep step."""
