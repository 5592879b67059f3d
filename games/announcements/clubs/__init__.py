"""Notifications about clubs."""
