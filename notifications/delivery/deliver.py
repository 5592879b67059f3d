"""Delivery of the letters that are ready.

Letters are sent while their rows are locked, so that no other worker takes them and a dead worker leaves them to the
next one. As many share a transaction as go out within ``SPAN``: one, where a mail server takes its time. Only a crash
between the other side's yes and the commit repeats a letter, which then has the same Message-ID.
"""

import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet

from config.database.rows import Shape, update
from config.failures import describe_error
from notifications.channels import CHANNELS, POSTED
from notifications.channels.channel import ChannelDown, ChannelError, Send
from notifications.delivery import outages
from notifications.models import LONGEST_WAIT, Letter, State
from notifications.recipients import deliverability, suppression_list

MAIL: Final = "mail"
"""The channel whose addresses may need to be confirmed."""
BATCH: Final = 200
"""How many letters one run delivers at most; the next task finds the rest."""
SPAN: Final = 0.05
"""Seconds: the time in which letters go out that are noted together."""


def deliver_due(now: datetime, batch: int = BATCH) -> int:
    """Try up to ``batch`` of the letters that are due, oldest first; how many were tried."""
    with ExitStack() as stack:
        run = _Run(stack, now)
        tried, together = 0, 1
        while tried < batch:
            wanted, began = min(together, batch - tried), time.monotonic()
            with transaction.atomic():
                letters = _take(now, run.down, wanted)
                tried += run.deliver(letters)
            run.note_outage()
            if len(letters) < wanted:
                break
            took = time.monotonic() - began
            together = together * 2 if took < SPAN / 2 else max(1, together // 2) if took > SPAN else together
    return tried


def waiting(now: datetime) -> Iterable[QuerySet[Letter]]:
    """The letters that are due and delivered here."""
    due = Letter.objects.filter(state=State.READY, next_attempt_at__lte=now)
    return [due.exclude(channel__in=POSTED).order_by("next_attempt_at")]


def _take(now: datetime, down: set[str], limit: int) -> list[Letter]:
    """The next letters that are due on channels that are not down, locked against every other worker."""
    query, letters, people = _due()
    found = []
    with connection.cursor() as cursor:
        cursor.execute(query, [now, [*down, *POSTED], limit])
        for row in cursor:
            letter = letters.made(row)
            letter.account = None if letter.account_id is None else people.made(row[letters.width :])
            found.append(letter)
    return found


@cache
def _due() -> tuple[str, Shape[Letter], Shape[Any]]:
    letters, people = Shape(Letter), Shape(get_user_model(), ("password",))
    query = f"""
        SELECT {letters.columns("letter")}, {people.columns("account")} FROM notifications_letter AS letter
        LEFT JOIN {get_user_model()._meta.db_table} AS account ON account.id = letter.account_id
        WHERE letter.state = 'ready' AND letter.next_attempt_at <= %s AND NOT letter.channel = ANY(%s)
        ORDER BY letter.next_attempt_at LIMIT %s FOR UPDATE OF letter SKIP LOCKED
    """
    return query, letters, people


class _Run:
    """Letters that go out one after another, over channels that are opened when they are needed."""

    def __init__(self, stack: ExitStack, now: datetime) -> None:
        self.down: set[str] = set()
        """The channels that take no letters at present."""
        self.is_failing = False
        """Whether our mail server did not take one that another may have taken."""
        self.is_working = False
        """Whether our mail server has taken one."""
        self._noted = False
        self._now = now
        self._stack = stack
        self._sessions: dict[str, Send] = {}

    def deliver(self, letters: Sequence[Letter]) -> int:
        """Send locked letters and note what became of them; how many were tried."""
        closed = deliverability.closed_of({letter.destination() for letter in letters if letter.channel == MAIL})
        sent = []
        tried = 0
        for letter in letters:
            if letter.channel in self.down:
                continue
            tried += 1
            if (
                letter.account_id is None
                and not deliverability.is_asked_for(letter)
                and suppression_list.holds(letter.destination())
            ):
                _drop(letter)
            elif letter.destination() in closed and not deliverability.passes(letter, self._now):
                _keep_back(letter, self._now)
            elif self._is_taken(letter):
                sent.append(letter)
        _note_sent(sent, self._now)
        return tried

    def note_outage(self) -> None:
        """Note, once in a run, that our mail server takes letters; or that it has taken none and failed."""
        if not self._noted and self.is_working:
            outages.end(self._now)
            self._noted = True
        elif self.is_failing and not self.is_working:
            outages.begin(self._now)

    def _is_taken(self, letter: Letter) -> bool:
        """Send a letter; where it was not taken, that is noted."""
        try:
            self._hand_over(letter)
        except ChannelError as error:
            self.is_failing = self.is_failing or error.ours
            if isinstance(error, ChannelDown):
                self.down.add(letter.channel)
            if error.ours and (isinstance(error, ChannelDown) or not self.is_working):
                letter.put_off(str(error), self._now)
            else:
                letter.set_back(str(error), self._now, permanent=error.permanent)
                _note_failure(letter, error.status, self._now)
            return False
        self.is_working = True
        return True

    def _hand_over(self, letter: Letter) -> None:
        """Send a letter over its channel, whose session is opened at its first letter. ChannelError if not taken."""
        try:
            if letter.channel not in self._sessions:
                session = CHANNELS[letter.channel].session()
                self._sessions[letter.channel] = self._stack.enter_context(session)
            self._sessions[letter.channel](letter)
        except (ChannelError, DatabaseError):
            raise
        except Exception as error:
            raise ChannelError(describe_error(error)) from None


def _drop(letter: Letter) -> None:
    """Do not send a letter to an address whose owner wants none ever again, and has no account that it is for."""
    letter.state = State.DROPPED
    letter.save(update_fields=["state"])


def _keep_back(letter: Letter, now: datetime) -> None:
    """Do not send a letter to an address that needs to be confirmed; one that asks something waits for that."""
    if letter.question:
        letter.next_attempt_at = now + LONGEST_WAIT
    else:
        letter.state = State.DROPPED
    letter.save(update_fields=["state", "next_attempt_at"])


def _note_failure(letter: Letter, status: str, now: datetime) -> None:
    """Count a mail that is given up because of its address as one failure of the address."""
    failure = deliverability.of_status(status) if letter.state == State.FAILED and letter.channel == MAIL else None
    if failure:
        deliverability.note(letter.destination(), failure, now, now)


def _note_sent(letters: Sequence[Letter], now: datetime) -> None:
    for letter in letters:
        letter.address = letter.destination()
        letter.state = State.SENT
        letter.sent_at = now
    update(letters, ("address", "state", "sent_at"))
