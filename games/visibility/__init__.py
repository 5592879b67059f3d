"""Everything that a viewer may see of a game. All data of a game that leaves the server passes this package."""
