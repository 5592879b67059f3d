"""The append-only event log of games, and the table events, which are the same for all games."""
