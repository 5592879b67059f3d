"""The embedded PostgreSQL: its folders and permissions, and its start, restart and stop.

Its programs come from a wheel, or from DARBAR_PG_BIN. The server is a child of ours and listens only on a socket in a
private folder, never on the network. PostgreSQL refuses to run as root, so for root it runs as ``darbar-postgres``. An
installed package asks root to create that user. If it is missing in a checkout, ``SHARED_USER`` is used.
"""

from config.server.postgres.access import DATABASE, PostgresError
from config.server.postgres.paths import ADD_USER, SHARED_USER, ServerPaths
from config.server.postgres.server import Server
from config.server.postgres.upgrade import upgrade

__all__ = ["ADD_USER", "DATABASE", "SHARED_USER", "PostgresError", "Server", "ServerPaths", "upgrade"]
