"""How a memory is: facts gathered from what the store and its derived data hold, and what to do."""
