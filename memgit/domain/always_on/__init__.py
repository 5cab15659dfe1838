"""What an agent is given in every session: the index of the memories, the profile, their caps."""
