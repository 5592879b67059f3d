"""Delivery of the letters that are ready.

Each letter has a transaction of its own that holds the row's lock while it is sent, so that no other
worker takes it and a dead worker leaves it to the next one. Only a crash between the other side's
yes and the commit repeats a letter, which then has the same Message-ID.
"""

from contextlib import ExitStack
from datetime import datetime
from typing import Final

from django.db import DatabaseError, transaction

from notifications import reach, silence
from notifications.channels import CHANNELS, POSTED
from notifications.channels.channel import ChannelDown, ChannelError, Send
from notifications.failures import describe
from notifications.models import LONGEST_WAIT, Letter, State

MAIL: Final = "mail"
"""The channel whose addresses may need to be confirmed."""
BATCH: Final = 200
"""How many letters one run delivers at most; the next bell finds the rest."""


def deliver_due(now: datetime, batch: int = BATCH) -> int:
    """Try up to ``batch`` of the letters that are due, oldest first; how many were tried."""
    with ExitStack() as stack:
        sessions: dict[str, Send] = {}
        down: set[str] = set()
        for tried in range(batch):
            with transaction.atomic():
                letter = _next(now, down)
                if letter is None:
                    return tried
                if letter.account_id is None and silence.holds(letter.destination()):
                    _drop(letter)
                elif letter.channel == MAIL and not reach.passes(letter, now):
                    _keep_back(letter, now)
                elif not _try(letter, sessions, stack, now):
                    down.add(letter.channel)
    return batch


def _drop(letter: Letter) -> None:
    """Do not send a letter to an address whose owner wants none ever again, and has no account that it is for."""
    letter.state = State.DROPPED
    letter.save(update_fields=["state"])


def _try(letter: Letter, sessions: dict[str, Send], stack: ExitStack, now: datetime) -> bool:
    """Send a letter and note what became of it; whether its channel takes any letters at present."""
    try:
        _hand_over(letter, sessions, stack)
    except ChannelError as error:
        letter.set_back(str(error), now, permanent=error.permanent)
        _note_failure(letter, error.status, now)
        return not isinstance(error, ChannelDown)
    _note_sent(letter, now)
    return True


def _hand_over(letter: Letter, sessions: dict[str, Send], stack: ExitStack) -> None:
    """Send a letter over its channel, whose session is opened at its first letter. ChannelError if it was not taken."""
    try:
        if letter.channel not in sessions:
            sessions[letter.channel] = stack.enter_context(CHANNELS[letter.channel].session())
        sessions[letter.channel](letter)
    except (ChannelError, DatabaseError):
        raise
    except Exception as error:
        raise ChannelError(describe(error)) from None


def _next(now: datetime, down: set[str]) -> Letter | None:
    """The next letter that is due on a channel that is not down, locked against every other worker."""
    return (
        Letter.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(state=State.READY, next_attempt_at__lte=now)
        .exclude(channel__in={*down, *POSTED})
        .select_related("account")
        .order_by("next_attempt_at")
        .first()
    )


def _keep_back(letter: Letter, now: datetime) -> None:
    """Do not send a letter to an address that needs to be confirmed; one that asks something waits for that."""
    if letter.question:
        letter.next_attempt_at = now + LONGEST_WAIT
    else:
        letter.state = State.DROPPED
    letter.save(update_fields=["state", "next_attempt_at"])


def _note_failure(letter: Letter, status: str, now: datetime) -> None:
    """Where a mail is given up because of its address, that is one failure of the address."""
    failure = reach.of_status(status) if letter.state == State.FAILED and letter.channel == MAIL else None
    if failure:
        reach.note(letter.destination(), failure, now, now)


def _note_sent(letter: Letter, now: datetime) -> None:
    letter.address = letter.destination()
    letter.state = State.SENT
    letter.sent_at = now
    letter.save(update_fields=["address", "state", "sent_at"])
