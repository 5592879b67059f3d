"""Responses with status 503: maintenance and outages of the database."""
