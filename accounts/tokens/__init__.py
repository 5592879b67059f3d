"""Tokens and apps: what may act for an account, and how far."""
