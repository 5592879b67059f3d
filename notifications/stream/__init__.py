"""Stream events for programs, and the hub that passes them to open event streams.

Writing: ``games.announcements.stream_events`` writes, in the transaction of a move and in one statement, the stream
events for each account in the game that has a program. They contain ids and kinds only
(``notifications.stream.stream_events``). Events are stored from the first stream that an account opens
(``StreamListener``). That stream reports that it is ready once all transactions have ended that might not have known of
it. There is no event about another player's answer in an open reaction. The number of a line is the one that its reader
sees; ``Game.shown`` counts them, so the log need not be read. Public ids are random, because serial ones would reveal
how much other players do.

The event stream (``config/server/stream.py``, ``config/server/event_stream.py``, ``notifications.stream.hub``)
is one process with one connection that listens. It reads each event once and passes it to the streams that need it, in
the order (transaction, id), and only below the oldest running transaction, so that an event that commits late is not
skipped. A long transaction in any database of the PostgreSQL server delays the stream, which then checks again after
0.01, 0.02, 0.04 and at most 3 seconds. Transactions that compose or deliver notifications do not delay it
(``config.core.database.connections``). NOTIFY only wakes the reader. ``Last-Event-ID`` reads the rows again,
which are kept for seven days. Tokens are checked again every three seconds.

Epochs (``notifications.stream.stream_events``): transaction numbers are ordered within one cluster only, so each id
begins with the mark of an epoch, a random value in a table with one row. On each connection, the stream compares the
stored identity of the cluster (system identifier, timeline, database) with the present one, and looks for events of
future transactions and for the last event that it read. If something does not fit, it deletes all events, begins a new
epoch and ends all streams. Clients with an id of another epoch get ``reset``.

Webhooks (``notifications.webhooks``): the same statement adds messages to an account's webhooks to the outbox, which
delivers them like all others. A webhook that accepts nothing for three days or returns 410 is disabled, with an email
to its owner. Secrets are computed, like addresses; the former one also signs for one more day.

Requests to addresses that users choose go through ``notifications.outgoing``: https only, the name is resolved once,
all its addresses must be public, the connection goes to one of these addresses with a certificate for the name, and
there are no redirects and no proxies. They may take ten seconds and 64 kilobytes. All of this is checked for each
request. ``OUTGOING_LOOPBACK=yes`` allows http to programs on this machine, for trials.
"""
