"""Notifications about tournaments, and messages about them to the chats of clubs."""
