"""Players who are away: pauses, vacations, the feed for their calendars, and stand-ins.

A miss is a question that timed out (``games.play.misses`` counts them on the seat's row, in the transaction of the
answer). Whatever a player answers themselves ends the row, allow too, by any door, by a plan or through their
stand-in; the first miss of a game is not counted; what a bot answers counts for nothing. After ``misses`` in a row
``absence`` decides (``games.play.absence``), and it does so when the player is asked again: by then what they missed
has been told as far as it ever is, so that nothing of an open window shows in it. ``bot``: a bot sits in
(``Seat.away``), with the timing of every bot, until its player answers something or says ``back``. ``invite``: so it
does, and whoever sits there may invite somebody to the seat (``games.lobby.takeover``); who takes it sees its hand,
so the former player is out for good, and nobody may take it who has known another hand there. ``forfeit``: the rules'
``resign``; the log says that it was the clock. The terms stand in the game's row and in ``table.created``, what came
of them in events of the table, seats only.

In the player stats, what a bot answered who sat in counts neither as asked nor as answered: nobody waited for it.
For whom one sits in at the end has not won, so that staying away neither spares a loss nor earns a win. Of a seat
that was taken over, its last player has the result, and what was answered since they sat down.

A stand-in (``games.away.stand_ins``, rows of ``StandIn``) may answer for a player until a time, with an account of
their own: ``Sight.plays`` and ``telling.seat_of`` give them that seat's view, log and questions while it lasts, by
every door; none of the chat, no plans, no resignation, no code of the table, no reasons of deadlines. Both are asked,
and the first answer counts. It is ended by its time (a task every few seconds; answers are resolved by when they came),
by either of the two, and with the account of either. Who sits at the table, has known another hand there, or is kept
apart from somebody there is no stand-in; the last two are not told apart.
"""
