"""The road of a move: submit, resolve, store; plans, timeouts, bots and stand-ins.

A move:

1. An entry point (``games.api``, ``games.pages``, ``games.mail``) stores a Move with one function
   (``games.play.submit``). The API answers 202 with the address of the outcome. If the sender waits for the outcome
   (``Prefer: wait``), the web server resolves the game itself (``resolve_now``).
2. The task ``games.tasks.resolve_moves`` wakes a worker, which resolves the moves of up to 128 games in one transaction
   (``games.play.batch``; what goes wrong with one is done alone). It holds each game's row
   (``games.play.locked_game``): all its unresolved moves in order of (received_at, id), load, decide, append the
   events, rewrite the open questions, order the notifications; one transaction.
3. After the commit further tasks: the bots' and the notifications'.

Timeouts call the same functions under the same lock, and the log says that it was a timeout. Plans
(``games.play.plans``; what they may look at is the game's own concern: ``games.engine.plans``,
``games/rules/*/plans.py``) answer after the moves, in the same transaction, until none of them answers an open
question. The log says that their answers came as the plan did (by API, mail or page), so that the record tells nobody
either; which plan it was stands with the move (``Move.plan``), for its owner. Where a seat never gave one
(``Seat.plan_count``) there is nothing to ask. docs/plans.md has their notation.

Moves that cannot be resolved:

The rules' refusal (``RuleViolation``) is the only fault of a move's own: it is rejected. After any other error the
game is stalled (``games.play.stalls``): ``Game.stalled_since`` takes it out of the queries for moves, deadlines and
bots, and its row of ``Stall`` says when the sweep tries it again, by itself: after 5 seconds, twice as long each
time, 10 minutes at most. Nobody else who comes by resolves it meanwhile. What came in waits in its order. The try that
succeeds gives the time of the stall back first (``stalls.lift``): all deadlines of people move by it, a move that
came meanwhile counts as received when the stall began, and no time bank pays for it. A move that fails for six hours
is set aside, and the next one is tried. A database that is away (``OperationalError``) stalls nothing; neither does a
schema that is not this program's, which is looked at before a stall is noted.

What was given up after all its tries (moves, emails, notifications) has a row of ``SetAside``
(``notifications.set_aside``): its id, the kind and place of the error, the time. The signs of health count those that
nobody has settled; the operator retries or acknowledges them (``games.operations.retrying``, ``manage.py set_aside``,
``/admin/``). ``games.announcements.setbacks`` tells the senders: after ten minutes that their move waits, that it was
set aside, and what became of it in the end.

A snapshot bears the head of the log's chain and a digest of rules, version and options. One that is ahead of its log,
or whose chain does not lead to the log's head, is not used: the log is folded from its start.
"""
