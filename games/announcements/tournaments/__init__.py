"""Notifications about tournaments."""
