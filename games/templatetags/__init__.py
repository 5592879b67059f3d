"""Template tags for times, numbers, names and live parts of pages."""
