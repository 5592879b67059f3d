"""Tournaments: people play in rounds, in games that the server creates for them. ``core`` has the rules of that."""
