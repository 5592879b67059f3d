"""Searches for players, the sweep that creates games from them, and the arena of bot accounts."""
