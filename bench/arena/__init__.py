"""The arena: bots of all levels against archetypes of players, and against each other. ``make arena`` runs it."""
