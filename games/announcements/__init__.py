"""Everything that a game tells its people, and the words of it."""
