"""Phrases as sentences in the active language, and links to games and questions."""
