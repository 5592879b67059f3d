"""Bots that think ahead, in any game: a search over the worlds that a seat may be in, and levels made of it."""
