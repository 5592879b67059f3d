"""Notifications about games: when they are sent, and their content."""
