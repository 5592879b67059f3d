"""Accounts: sign-up, log-in, tokens, limits, and the pages and API for all of these."""
