"""The page of a game and all that is done there."""
