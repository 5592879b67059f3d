"""The processes of a server: web, worker, mail, stream, and the preparation of the database.

``make run`` is ``python -m config.embedded.runner``: it takes the lock on the data folder, looks whether the ports are
free, starts the embedded PostgreSQL (``config/embedded/postgres/``) unless ``DATABASE_URL`` names another, reads the
modules of all processes (``config/processes/modules.py``), has the tables brought up to date
(``config/processes/prepare.py``, a process that ends; ``manage.py migrate`` does the same), and keeps four children
running. They are forks of it (``config/embedded/children.py``), so what it has read is read and held once for all of
them, and each does what its module does when it is started by itself:

- ``python -m config.processes.web``: the web server, ``WEB_THREADS`` requests at once (see below);
- ``python -m config.processes.stream``: the event stream, on ``STREAM_PORT``, one process on the same server. A
  proxy leads ``/api/v1/stream/`` there; without one, the web server answers 421 with the address, which ``me/``
  says too;
- ``python -m config.processes.mail``: the mail server, on ``MAIL_PORT``;
- ``python -m config.processes.worker``: Celery with threads, and the clock (``config/embedded/clock.py``) in threads
  of it, so that neither outlives the other. The clock runs its tasks itself and needs no broker; while the broker is
  away, a worker also does what it would enqueue. One of the threads resolves moves at a time, one composes
  notifications, two hand notifications to a mail server, one posts to devices, one to webhooks, and one reads mail,
  whatever is enqueued (``config.database.concurrency_limit``): so moves always find a thread. No notification is
  composed about a question whose answer waits to be resolved, and nobody who answers waits for one that is being
  composed: its question is held only when it is done, for the moment in which it is stored.

Celery comes with the database's backend (``config/database``), since whoever commits may enqueue a task. The runner
reads it and Django's models only when the settings and the ports are known to be good, so that a refusal is quick.

What dies is started again, PostgreSQL too, at once and then after pauses that grow to ten seconds
(``config/embedded/restart_pauses.py``); the runner never gives up. It looks at the disks every few seconds and says
when one is nearly full, and when it has room again. They can be started without the runner, on as many machines as
there are; the clock of each worker ticks, and ticks are idempotent.

Ending: the runner tells its children with SIGTERM and the database with SIGINT, and makes sure of their groups with
SIGKILL. If the runner itself is killed, the pipe it holds closes, each child notices
(``config/embedded/parent_watch.py``) and ends; the children hold a lock on the data folder, so that the next runner
waits until they are gone. A PostgreSQL left behind is ended before a new one is started. Locks are the kernel's and die
with their holder: there is no file to clean up.
"""
