"""Signals to programs, and the listener that hands them to open event streams.

What programs are told:

``games.announcements.stream_events`` notes in the transaction of a move, in one statement, what each account at the
table is told that has a program: signals, with ids and kinds only (``notifications.stream.stream_events``). Signals
of an account are kept from the first stream on that it opens (``StreamListener``), and that one says that it is ready
once whatever was under way is over, which may have known nothing of it. Of another's answer in an open window nobody
is told. A line's number is the one its reader sees; ``Game.shown`` counts them, so that no log is read for it.
Outside a signal has a random id: serial ones would tell how much others do.

- The event stream (``config/processes/stream.py``, ``config/http/stream/event_stream.py``,
  ``notifications.stream.hub``): one process, one connection that listens, every signal read once and handed to
  whoever it concerns. It reads in the order (transaction, id), below the oldest transaction that still runs, so that
  what commits late is not skipped; whoever writes for long, in whichever database of that PostgreSQL server, delays
  the stream, which then looks again after 0.01, 0.02, 0.04 and at most 3 seconds. Whoever composes or delivers
  notifications is not waited for (``config.database.silent_transactions``). NOTIFY, sent after the commit, only
  wakes it. ``Last-Event-ID`` re-reads the rows, which are kept for seven days; tokens are looked at again every three
  seconds.
- Epochs (``notifications.stream.epoch``): transaction ids order signals in one cluster only, so every id of the
  stream begins with the mark of an epoch, a random value in a table of one row. Each time the stream connects to the
  database it compares the identity stored beside the mark (system identifier, timeline, database) with that of the
  cluster, and looks for signals of transactions that are still to come and for the last signal that it read. Where
  one of them does not fit, it deletes all signals, begins a new epoch and ends all streams. Clients that come with an
  id of another epoch are told ``reset``, and those of a data folder that was put back too where their id is not in
  it.
- Webhooks (``notifications.webhooks``): the same statement puts the signals into the queues of an account's webhooks.
  Whoever serves one has it under a lease; a message is tried ten times in three days, a webhook that fails is left
  alone for longer and longer, and disabled after three days or a 410, of which its owner hears by email. Secrets are
  derived, like addresses; the former one signs for a day more.

Whatever is posted to an address that somebody named goes through ``notifications.outgoing``: https only, the name
resolved once, every address it has on public ground, the connection to that very address under the name's
certificate, no redirects, no proxies, ten seconds and four kilobytes. It is all looked at again each time.
``OUTGOING_LOOPBACK=yes`` lets programs on this machine be tried, over http.
"""
