"""Bots that think ahead, in any game: a search over the possible worlds of a seat, and the levels of bots."""
