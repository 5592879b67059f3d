"""Notifications to people and programs: the outbox, its channels, and mail that comes in. Knows no game."""
