"""Django's connection, rows by the batch, pending work and the schema.

Processes that do not fit their database:

Web server, worker and mail server compare themselves with the database once a second, in a thread and one statement
(``config.database.database_checks``). While migrations are missing, or one of a newer version contracts the schema
(``config.database.schema``), no game is held (``rows.lock`` raises an OperationalError, so doors answer as if
the database were away), the worker's tasks do nothing and the heart stands still, so that the time is given back. A
process of the former version goes on while a newer one has only expanded the schema. The clock that counts is the
database's (``config.database.database_clock``): ``now()`` is its time at the last look (there is one at once when the
machine's clock is set) and what has passed since by a clock that nobody sets, so neither a fast nor a jumping clock of
a machine closes a question early or dates a move wrongly. Both are signs of health, which other processes learn of by a
note in the cache. In tests, commands and ``bench/pace``, where nothing is compared, ``now()`` is the machine's clock.

A virtual clock:

``now`` is taken at the edge (tasks and doors) and handed down, tasks are messages by name, and channels of
notifications stand in one list: so the whole server runs in one process at any time. ``bench/pace`` does so to count
the days of games by post (docs/pace.md); the option ``prompts`` of a game is there for its comparison, and can be
chosen by nobody.

The database is the truth; the broker only wakes workers. A message may be lost, doubled or late, and nothing else is:
``games.tasks.tick`` (which is ``sweep``, ``bots``, ``compose_notifications`` and others) is enqueued every five seconds
and finds in the rows what is left to do: each part has a function that gives the rows it waits for, and one
statement asks for all parts whether there are any (``config.database.pending_work``). For what may take its time
(mail that came in, notifications, pushes, webhooks) it enqueues tasks. ``config.celery.TaskNotifier`` does not fail
where the broker cannot be reached: ticks need none, so work is found at their pace. The embedded broker is a folder of
files (``config/embedded/folder_broker.py``), thrown away at each start; a pipe in it wakes the worker.
"""
