"""Memory folders of the agent that a rename, a work tree or a name shared by two projects has cut
off: what belongs where, on what evidence, and taking it over into the store.

The one rule: nothing of the agent's is written, moved or deleted.
"""
