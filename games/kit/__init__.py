"""Tools for authors of games: checks of the contract, a new game to begin with, and adapters for learning programs."""
