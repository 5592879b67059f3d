"""The database's schema: how migrations make it, and whether it is the one that this program expects."""
