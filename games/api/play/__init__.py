"""The play of a game: its view, events, questions, moves and plans, and its record after the end."""
