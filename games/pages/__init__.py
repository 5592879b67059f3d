"""The pages of games, for browsers."""
