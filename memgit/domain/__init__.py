"""What memgit is about: memories, the store that holds them, the operations that change them."""
