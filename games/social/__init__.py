"""Everything that people do beside the game: chat, reports, moderation."""
