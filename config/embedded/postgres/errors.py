"""The one error of the embedded PostgreSQL."""


class PostgresError(Exception):
    """The embedded PostgreSQL cannot be had; the message says why, in a sentence."""
