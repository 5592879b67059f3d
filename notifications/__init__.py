"""PlayerView people and programs: the outbox, its channels, and mail that comes in. Knows no game."""
