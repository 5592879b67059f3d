"""Parsers of email by players: pure functions from the lines of an email to a command. They never guess."""
