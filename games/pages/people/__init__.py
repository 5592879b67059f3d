"""Pages about accounts: profiles, leaderboards, reports, and settings for games."""
