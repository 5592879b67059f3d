"""What people do beside the game: chat, reports, moderation."""
