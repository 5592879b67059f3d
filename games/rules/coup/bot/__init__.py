"""The bot of Coup."""
