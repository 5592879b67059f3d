"""Compares the database at the end of a run with everything that was acknowledged and sent."""

import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import psycopg

from bench.chaos.ledger import Ledger
from bench.chaos.processes import SupervisedServer
from tests.server.darbar import ROOT

PATIENCE: Final = 180.0
"""Seconds after the last fault in which the server must finish all waiting work."""
LATE: Final = 30.0
"""Seconds in which the last events and messages must arrive."""
OVERDUE: Final = 30
"""The maximum number of seconds by which a question may be overdue."""

_HURRY: Final = (
    "UPDATE notifications_notification SET next_attempt_at = now()"
    " WHERE state IN ('scheduled', 'ready') AND NOT held AND next_attempt_at > now()",
    "UPDATE notifications_rawmail SET next_attempt_at = now() WHERE state = 'received' AND next_attempt_at > now()",
)
"""Make retries due now. Rows that are due already are not changed, because a worker may be working on them."""
_WAITS: Final = """
    SELECT (SELECT count(*) FROM games_move WHERE state = 'received'),
        (SELECT count(*) FROM notifications_rawmail WHERE state = 'received'),
        (SELECT count(*) FROM notifications_notification
            WHERE state IN ('scheduled', 'ready') AND NOT held AND NOT standing_by)
"""
_OVERDUE: Final = """
    SELECT game_id || ' ' || question, extract(epoch FROM due_at)::float FROM games_openquestion
    WHERE due_at < now() - make_interval(secs => %s)
"""


@dataclass(frozen=True)
class Finding:
    """A violation of the guarantees."""

    kind: str
    """``lost``, ``doubled`` or ``stuck``."""
    description: str
    at: float
    """The time at which the move or message was acknowledged, sent or due."""


def settle(watched: SupervisedServer, tell: Callable[[str], None]) -> list[Finding]:
    """Wait until all work is finished. Unfinished work is stuck."""
    deadline, waiting = time.monotonic() + PATIENCE, (-1,)
    while time.monotonic() < deadline:
        try:
            with watched.database() as connection:
                for statement in _HURRY:
                    connection.execute(statement)
                waiting = connection.execute(_WAITS).fetchone() or (-1,)
                tell(f"waiting (moves, received mails, notifications, messages to webhooks): {waiting}")
                if not any(waiting) and not connection.execute(_OVERDUE, [OVERDUE]).fetchall():
                    return []
        except psycopg.OperationalError:
            pass
        watched.keep()
        time.sleep(2)
    names = ("moves", "received mails", "notifications", "messages to webhooks")
    return [
        Finding("stuck", f"{count} {name} wait", time.time())
        for name, count in zip(names, waiting, strict=False)
        if count
    ]


def findings(watched: SupervisedServer, ledger: Ledger) -> list[Finding]:
    """Return all findings. Checks again for a while, because the last events and messages may still arrive."""
    until, deadline = time.time(), time.monotonic() + LATE
    while True:
        with watched.database() as connection:
            all_findings = [
                *_moves(connection, ledger),
                *_mails(connection, ledger),
                *_sent(connection, ledger, until),
                *_signals(connection, ledger, until),
                *(Finding("doubled", f"{key}, with two contents", at) for key, at in ledger.with_two_contents()),
                *(Finding("stuck", f"question {key}", at) for key, at in connection.execute(_OVERDUE, [OVERDUE])),
            ]
        if not all_findings or time.monotonic() > deadline:
            return all_findings
        time.sleep(1)


def _moves(connection: "psycopg.Connection[Any]", ledger: Ledger) -> Iterator[Finding]:
    """Check that each acknowledged move was resolved once, with the announced outcome, and is in the log once."""
    rows = {
        str(id): (state, code, first, last, events)
        for id, state, code, first, last, events in connection.execute(
            "SELECT move.id, state, code, first_event, last_event, count(event.number) FROM games_move AS move"
            " LEFT JOIN games_event AS event ON event.game_id = move.game_id AND event.move_id = move.id"
            " GROUP BY move.id"
        )
    }
    for entry in ledger.moves.values():
        state, code, first, last, events = rows.get(entry.key, ("missing", "", None, None, 0))
        if state not in ("applied", "rejected") or (state == "rejected" and not code):
            yield Finding("lost", f"move {entry.key} is {state} {code}", entry.at)
        elif entry.outcome not in ("", "received", state):
            yield Finding("lost", f"move {entry.key} is {state}, but the answer was {entry.outcome}", entry.at)
        elif state == "applied" and not events:
            yield Finding("lost", f"move {entry.key} is applied, but not in the log", entry.at)
        elif state == "applied" and events > last - first + 1:
            yield Finding("doubled", f"move {entry.key} stands {events} times in the log", entry.at)
    for game, seat, question, at in connection.execute(
        "SELECT game_id, seat, question, max(extract(epoch FROM received_at))::float FROM games_move"
        " WHERE state = 'applied' AND question <> '' GROUP BY game_id, seat, question HAVING count(*) > 1"
    ):
        yield Finding("doubled", f"question {question} of seat {seat} in game {game} was answered twice", at)


def _mails(connection: "psycopg.Connection[Any]", ledger: Ledger) -> Iterator[Finding]:
    """Check that every accepted mail was read."""
    states = dict(connection.execute("SELECT unnest(recipients), min(state) FROM notifications_rawmail GROUP BY 1"))
    for entry in ledger.mails.values():
        if (state := states.get(entry.key, "missing")) != "read":
            yield Finding("lost", f"mail to {entry.key} is {state}", entry.at)


def _sent(connection: "psycopg.Connection[Any]", ledger: Ledger, until: float) -> Iterator[Finding]:
    """Check that every sent message arrived, and that none was given up."""
    relayed = {key.strip("<>").partition("@")[0] for key in ledger.relayed}
    for id, state, at in connection.execute(
        "SELECT id, state, extract(epoch FROM coalesce(sent_at, created_at))::float FROM notifications_notification"
        " WHERE channel = 'mail' AND state IN ('sent', 'failed')"
    ):
        if state == "failed" or str(id) not in relayed:
            yield Finding("lost", f"notification {id} is {state}, but did not arrive", at)
    for name, id, state, at in connection.execute(
        "SELECT account.name, split_part(message.key, ':', 1), state, extract(epoch FROM message.created_at)::float"
        " FROM notifications_notification AS message JOIN notifications_webhook AS webhook ON webhook.id = endpoint"
        " JOIN accounts_account AS account ON account.id = webhook.account_id"
        " WHERE message.created_at < to_timestamp(%s)",
        [until],
    ):
        if state != "sent" or f"{name} msg_{id}" not in ledger.posted:
            yield Finding("lost", f"message {id} to {name}'s webhook is {state}", at)


def _signals(connection: "psycopg.Connection[Any]", ledger: Ledger, until: float) -> Iterator[Finding]:
    """Check that all events after the last ``reset`` of an account arrived on its stream."""
    for name, id, at in connection.execute(
        "SELECT account.name, signal.public_id, extract(epoch FROM signal.at)::float FROM notifications_streamevent"
        " AS signal JOIN accounts_account AS account ON account.id = signal.account_id"
        " WHERE signal.at < to_timestamp(%s)",
        [until],
    ):
        if at > ledger.resets.get(name, 0.0) and f"{name} {id}" not in ledger.signals:
            yield Finding("lost", f"event {id} of {name}'s stream", at)


def verify(watched: SupervisedServer) -> str:
    """Run ``manage.py verify``. Return its output if it fails, otherwise an empty string."""
    completed = subprocess.run(
        [watched.darbar.program, "manage.py", "verify"],
        cwd=ROOT,
        env=watched.darbar.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if completed.returncode == 0 else (completed.stderr or completed.stdout)
