"""Tools of the operator: signs of health, backups, the doctor, and work that was set aside.

Health and the log:

``games.operations.health`` is the one list of signs, each a query that an index answers and the bound above which it
is red. Whoever watches from outside (``/healthz``) learns which are red; how long queues are tells of what players
do, and is for ``/admin/health/``. What to do about each: docs/operating.md. The log (``config/logs.py``) has of an
error its kind and the places it passed, never its message, and of a record only what is named there; links that act
for somebody are cut out. A test plays on a real server that is stopped, killed and broken, and looks through all it
has written for every form of a seed and for every card.

PostgreSQL is shared by whoever needs it (``manage.py`` commands beside a running server): the first one in starts it,
the last one out stops it. It listens on a socket in a folder of mode 700, never on the network. The kernel says who
connects (``peer``), and only the user that runs Darbar is admitted: as the application's role, which owns its
database and nothing else, or as the superuser, which only the supervisor is (``config/embedded/postgres/access.py``).
Who is admitted is written at each start into a folder that the server's user cannot change. As root PostgreSQL runs
as ``nobody``, whose other processes cannot connect but can read its files: a user for it alone is better.

Data are in ``DATA_DIR/postgres/<major version>``; data of another major version are refused at the start. Where
``nobody`` cannot reach ``DATA_DIR``, data and copies of the programs are in ``/var/lib/darbar/<mark>`` (the mark is a
hash of ``DATA_DIR``'s path), and ``DATA_DIR/postgres`` is a link there. What does not fit (a link to nothing, data
that cannot be reached) is refused in a sentence, never begun anew. PostgreSQL's log is ``log`` and ``log.1`` beside
the data, of 4 MiB at most each.
"""
