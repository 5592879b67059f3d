"""Notifications about searches for players."""
