"""What a memory rests on: the places that its `sources` point to, and the words kept of them."""
