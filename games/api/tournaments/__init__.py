"""Tournaments: creating, entering and running them, their rounds and their standings."""
