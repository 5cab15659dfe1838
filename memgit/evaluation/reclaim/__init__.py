"""Whether a memory stays correctable: tasks, policies, readers, scores."""
