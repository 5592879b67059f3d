"""Limits on requests, attempts and connections, idempotency, the security log, and sightings."""
