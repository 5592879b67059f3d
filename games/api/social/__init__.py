"""Chat, reports, players and their stats."""
