"""Connections to the database: their options, behind a pooler too.

A pooler in transaction mode (pgbouncer) lends a connection for one transaction. What belongs to a session is lost
there: prepared statements, ``LISTEN``, locks of a session, settings that are sent when it begins.
``DIRECT_DATABASE_URL`` leads past it, for the event stream and for commands.
"""

from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

REPLICA: Final = "replica"
"""Django's name of the database at REPLICA_URL (``config.database.replica``)."""
_OWN: Final = "-c idle_in_transaction_session_timeout=5min -c random_page_cost=1.1"
"""Settings of each session. Who falls silent while it holds a game (a machine that is gone, a process that is stopped)
loses it. What is looked up by a key lies in memory, or on a disk without a head: no table is read whole for it."""

_SILENT_NETWORK: Final = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""Options of the driver: a server that cannot be reached any more is given up after a minute, not after two hours."""


def use_direct_connection() -> None:
    """Let this process go past the pooler, if there is one. No connection is open yet."""
    settings.DATABASES["default"].update(settings.DIRECT_DATABASE or {})


def direct_description(database: dict[str, Any] | None, direct: dict[str, Any] | None) -> dict[str, Any] | None:
    """Django's description of the way past a pooler, if there is one. ImproperlyConfigured for a way past none."""
    if direct and database is None:
        raise ImproperlyConfigured("DIRECT_DATABASE_URL leads past a pooler: name the pooler in DATABASE_URL.")
    return description(direct, pooled=False) if direct else None


def description(database: dict[str, Any], *, pooled: bool) -> dict[str, Any]:
    """Django's description of a database; ``pooled`` where a pooler in transaction mode stands before it."""
    apart = {"prepare_threshold": None} if pooled else {"prepare_threshold": 1, "options": _OWN}
    return {
        **database,
        "ENGINE": "config.database",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": pooled,
        "OPTIONS": {
            "server_side_binding": True,
            "connect_timeout": 10,
            **_SILENT_NETWORK,
            **apart,
            **database.get("OPTIONS", {}),
        },
    }
