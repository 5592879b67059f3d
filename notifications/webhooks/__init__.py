"""Posting signals to the addresses of people's own programs, after Standard Webhooks."""
