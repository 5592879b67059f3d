"""Template tags for isolates and for pushes."""
