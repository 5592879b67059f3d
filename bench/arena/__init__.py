"""The arena: bots of all levels play against archetypes of players and against each other. See ``make arena``."""
