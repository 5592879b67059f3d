"""Tools of the operator: signs of health, backups, the doctor, and work that was set aside.

``games.operations.health`` is the list of all signs. Each is a query that an index answers, with the bound above which
it is red. ``/healthz`` shows other servers which signs are red; the lengths of queues depend on the players and are
only on ``/admin/health/``. docs/operating.md explains what to do about each. The log (``config/core/logs.py``) has the
type and the place of an error but never its message, and of a record only the named fields. Links that act for a player
are removed. A test runs a real server that is stopped, killed and broken, and searches its output for seeds and cards.

All processes share one PostgreSQL: the first one starts it, and the last one stops it. It listens on a socket in a
folder of mode 700, never on the network. Connections are authenticated by the kernel (``peer``), and only the user that
runs Darbar is admitted: as the application's role, which owns its database only, or as the superuser for the supervisor
(``config/server/postgres/paths.py``). The list of admitted users is written at each start into a folder that
the server's user cannot change. If Darbar runs as root, PostgreSQL runs as ``nobody``. Other processes of ``nobody``
cannot connect but can read its files, so a user for Darbar alone is better.

Data are in ``DATA_DIR/postgres/<major version>``. Data of another major version are refused at the start. If ``nobody``
cannot reach ``DATA_DIR``, data and copies of the programs are in ``/var/lib/darbar/<hash of the path of DATA_DIR>``,
and ``DATA_DIR/postgres`` is a link to it. A broken link or unreachable data stop the start with a message; new data are
never created in their place. PostgreSQL writes ``log`` and ``log.1`` beside the data, at most 4 MiB each.
"""
