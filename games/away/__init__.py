"""Absent players: pauses, vacations, the calendar feed, and stand-ins.

A *miss* is a question that timed out. ``games.play.held_questions`` counts the misses in a row of each seat. Any answer
of the player ends the row, also one by a plan or by a stand-in. The first miss of a game is not counted, and answers of
bots count for nothing. After ``misses`` in a row, the term ``absence`` decides what happens
(``games.play.absence``). This is done when the player gets the next question: until then, a missed answer may belong to
a reaction that is still open and must not be revealed.

``bot``: a bot takes over (``Seat.away``), with the timing of all bots, until the player answers something or says
``back``. ``invite``: the same, and the other players may invite a new player to the seat (``games.lobby.takeover``).
The new player sees the hand, so the former one is out for good, and an account that has known another hand of the game
cannot take the seat. ``forfeit``: the seat resigns by the rules. The terms are in the row of the game and in
``table.created``, and the results are events of the table.

In the statistics, questions that a bot answered for an absent player count neither as asked nor as answered. A player
whose seat is held by a bot at the end has not won, so staying away does not help. If a seat was taken over, its last
player gets the result.

A stand-in (``games.away.stand_ins``) may answer for a player until a given time, with an account of their own. They see
the view, the log and the questions of the seat. They cannot use the chat, plans, resignation or the code of the game,
and do not see the reasons of deadlines. Both get the questions, and the first answer counts. The role ends at its time,
by either of the two, or with either account. Players of the game, accounts that have known another hand of it, and
accounts that a block keeps apart cannot be stand-ins; the refusal does not tell the last two cases apart.
"""
