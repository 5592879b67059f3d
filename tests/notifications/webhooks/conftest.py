"""The cast with programs."""
