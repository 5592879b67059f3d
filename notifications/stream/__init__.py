"""Signals to programs, and the listener that hands them to open event streams."""
