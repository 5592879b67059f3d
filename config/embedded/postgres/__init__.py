"""The embedded PostgreSQL: where it lives, who may enter, and how it is started, shared, kept running and stopped.

The programs come out of a wheel (or from DARBAR_PG_BIN); the server is our own child, listens on a socket in a folder
that nobody else may enter, and never on the network. PostgreSQL refuses to run as root. There it runs as the user
``darbar-postgres``. A package asks root to make that user; a checkout does with ``nobody`` where it is missing.
"""

from config.embedded.postgres.access import DATABASE
from config.embedded.postgres.errors import PostgresError
from config.embedded.postgres.programs import binaries
from config.embedded.postgres.server import Server
from config.embedded.postgres.server_paths import ADD_USER, SHARED_USER, ServerPaths
from config.embedded.postgres.upgrade import upgrade

__all__ = ["ADD_USER", "DATABASE", "SHARED_USER", "PostgresError", "Server", "ServerPaths", "binaries", "upgrade"]
