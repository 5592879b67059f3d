"""Who gets what, when and by which channel, and whom nothing reaches."""
