"""Runs searching bots in a separate process, so that moves of people do not wait for them."""
