"""The choice of recipients and channels: who gets what, when, and whom nothing reaches."""
