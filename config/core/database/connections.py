"""Options of database connections, with and without a connection pooler.

A pooler in transaction mode (pgbouncer) lends a connection for one transaction. The features of a session do not work
there: prepared statements, ``LISTEN``, session locks and settings at connection time. ``DIRECT_DATABASE_URL`` bypasses
the pooler for the event stream and for commands.
"""

from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

REPLICA: Final = "replica"
"""Django's name of the database at REPLICA_URL (``config.core.database.replica``)."""
# A process that stops while it has locked a game loses its transaction. The page cost is that of memory or an SSD, so
# that the planner uses an index instead of reading a whole table.
_SESSION_SETTINGS: Final = "-c idle_in_transaction_session_timeout=5min -c random_page_cost=1.1"
# Give up a server that cannot be reached after a minute, not after two hours.
_SILENT_NETWORK: Final = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}


def describe_refusal(error: Exception) -> str:
    """Return a sentence for the operator about an error of the database that stops a command."""
    if "unsupported startup parameter" in str(error):
        return (
            "DATABASE_URL leads to a pooler, which doesn’t accept session settings. Name the database itself in "
            "DIRECT_DATABASE_URL, such as postgres://user:password@host:5432/name."
        )
    # The first line names the server, and the others repeat the reason.
    reason, *_ = str(error).strip().splitlines() or [type(error).__name__]
    # Only an answer of the server has a code.
    answered = getattr(error.__cause__, "sqlstate", None) is not None
    return f"The database {'refuses' if answered else 'doesn’t answer'}: {reason}."


def use_direct_connection() -> None:
    """Let this process bypass the pooler, if there is one. Call it before the first connection is opened."""
    settings.DATABASES["default"].update(settings.DIRECT_DATABASE or {})


def direct_description(database: dict[str, Any] | None, direct: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return Django's settings of the connection that bypasses the pooler, if there is one.

    Raises ImproperlyConfigured if DIRECT_DATABASE_URL is set without DATABASE_URL.
    """
    if direct and database is None:
        raise ImproperlyConfigured("DIRECT_DATABASE_URL leads past a pooler. Name the pooler in DATABASE_URL.")
    return description(direct, pooled=False) if direct else None


def description(database: dict[str, Any], *, pooled: bool) -> dict[str, Any]:
    """Return Django's settings of a database. ``pooled`` means that a pooler in transaction mode is in between."""
    session = {"prepare_threshold": None} if pooled else {"prepare_threshold": 1, "options": _SESSION_SETTINGS}
    return {
        **database,
        "ENGINE": "config.core.database",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": pooled,
        "OPTIONS": {
            "server_side_binding": True,
            "connect_timeout": 10,
            **_SILENT_NETWORK,
            **session,
            **database.get("OPTIONS", {}),
        },
    }
