"""Phrases as sentences in the active language, and links to what they are about."""
