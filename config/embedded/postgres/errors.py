"""The error of the embedded PostgreSQL."""


class PostgresError(Exception):
    """The embedded PostgreSQL is not available. The message is a sentence with the reason."""
