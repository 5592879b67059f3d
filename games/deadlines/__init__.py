"""Deadlines and their reasons: schedules, reminders, pauses, steps of the clock.

A deadline belongs to one seat's question; a window ends with its last. ``games.deadlines.calculation`` is pure: the
table's terms (``GameTerms``, in ``games/terms``), the player's calendar (``Account.sleep_from``, ``sleep_to``,
``vacations``) and the moment of asking give the moment and the steps that led there. Which kinds of questions are
turns, windows or small choices is the game's data (``Rules.paces``). First the length, in UTC; no time passes on the
table's days off and in vacations; then the first of the fixed hours; then the end of the player's sleep. Each step
moves it later only, and where an hour of a place is doubtful (clocks that change) the reading counts that leaves more
time.

- ``games.deadlines.timing`` keeps it in rows: ``OpenQuestion.due_at`` with its steps (``why``; none where only the
  length counts), and ``Seat.time_bank``. The calendar comes with the seats that are loaded anyway. A deadline that is
  moved (pauses, downtime) is moved out of sleep again.
- A time bank replaces the limits of turns and choices. When a question is closed, by a timeout too, what it took is
  taken from the seat's time bank and the increment is added; an empty one times out at once, and the next question
  has the increment. What is left stands in the log (``table.time-bank-changed``), since it cannot be worked out
  without calendars, and the audit compares it with the row. Reactions keep their limit: what is left in a time bank
  is public, and would tell when somebody answered in one.
- Who is told what: the steps stand at one's own question only, not even a stand-in sees them. Others see
  ``Game.due_at``, the latest moment until which those who are asked together may answer; it stays while some of them
  have answered, so that it tells neither who did nor who sleeps. Nothing of a calendar is in the log.
  ``table.due-later`` says that what is asked now may be answered for longer, without a seat or a reason, and only
  where the latest moment has moved. In a window that moment moves as if nobody had answered yet
  (``timing.told_of_window``, ``had_it_not_answered``): else a pause, downtime or a vacation would tell who has.
- Vacations (``games.away.vacations``) are announced a day ahead, 30 days in a calendar year, of which each table lets
  the first so many count. One that is announced moves deadlines that are open, never nearer, and is then not taken
  back before the answer: else one could put off an answer for ever. Sleeping hours hold for what is asked from then
  on, for the same reason.

Time that is given back:

Downtime: Whoever ticks sees how long the heart (one row) stood still; more than five minutes are given back to every
open deadline, once, under the row's lock and as a table event, before anything that is overdue is looked at. *A clock
that is set*: a worker compares the database's clock with one that nobody sets (``games.deadlines.clock_skew``). A
step forward is time that was taken from everybody and is given back just so; one shorter than the grace after
deadlines (10 s) needs nothing, since the sweep waits as long. After a step back, which the heart shows by being
ahead, deadlines come later, never earlier; what waits for a machine and for no person is brought forward by as much
(``clock.catch_up``), and a step forward just before it counts for that much less. The workers' clock goes by the one
that nobody sets too. A machine that is gone in the middle of a transaction holds a game, or the heart, for five
minutes at most: PostgreSQL ends sessions that are silent in one (``OPTIONS`` in the settings; a ``DATABASE_URL`` may
say otherwise).

An outage of our email (``games.play.outages``, ``notifications.delivery.outages``). It begins with the first
failure that is our own mail server's (no connection, no log-in, 421, a transient refusal that is not the recipient's)
and ends with the first email that is taken. What is longer than five minutes is given back like downtime, while it
lasts and when it is over, as ``table.email-outage``. Not only those who play by email get it: every open question of
the table does, and it does not matter whether its email had gone out before. Else a deadline that moves in a window
would tell who plays by email, or who has answered, since whoever has is not asked any more. For the same reason the
moment of moving follows from the table's lengths and from when a question was put: at least every hour, and four
times in the shortest length, so that nothing passes that was asked in the outage. Tables with turns under 20 minutes
are not played by email, and go on. Downtime and steps of the clock in an outage count once.

Pauses (``games.away.pausing``, ``.pauses``) are folded by the table from its own events. Everybody alive has to
agree; bots have no say, and whoever has somebody else answer for them is not waited for. With the last yes all
deadlines of people move by the whole length, and what is asked meanwhile runs from the end of the pause: so no query,
sweep or reminder needs to know of it, and its end (``Game.paused_until``) moves nothing. Only an end before the time,
to which all agree too, brings deadlines forward by what was left. Answers count in a pause: an email may be on its
way, and who plays on harms nobody. Against misuse: a table has so much time for pauses, one has a longest, a proposal
lapses after the time for a turn, in one turn there is one (the log tells), and nobody learns who said no. What
follows from votes is looked at whenever a game with a proposal is stored, so whoever leaves the game does not hold it
up either.
"""
