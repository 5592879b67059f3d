"""Clubs, their members, their leaderboard and their chat."""
