"""Thinking of bots that search, in a process of its own, so that no move of a person waits for it."""
