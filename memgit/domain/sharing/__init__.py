"""Many hands on one store: remotes, merges, and memories that hold on a branch only."""
