"""Limits on requests and connections, requests that have their effect once, and the security log."""
