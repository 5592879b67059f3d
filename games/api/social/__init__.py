"""Chat, reports and player stats."""
