"""Isolates and pushes in templates."""
