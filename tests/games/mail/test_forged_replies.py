"""Commands for an account in replies with a forged From line. They need the Message-ID of a recent email."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import Account
from games.announcements.notify import write_due
from games.models import Game, Heartbeat, Invitation, Seat, Seek
from games.tables import stand_ins
from games.tables.joining import take_over_seat
from games.tables.vacations import list_vacations
from notifications import preferences, reply_addresses
from notifications.models import Notification
from tests.games.mail.test_absence import DAY
from tests.games.mail.test_road import LATER, email_bytes, notifications, send
from tests.games.seated import NOON, absent, agree, begin, question_address, seat_address

pytestmark = pytest.mark.django_db

COMMANDS = ("stop", "leave", "vacation 3 days", "invite eve@example.net", "new coup 4", "seek coup", "sleep 23-7")
FORGED = "Maryam <maryam@example.org>"


def invented(letter: str) -> str:
    return f"{letter}-x1-{'a' * 26}@localhost"


@contextmanager
def unchanged(maryam: Account) -> Iterator[None]:
    """Check that the emails that are sent meanwhile change nothing of Maryam's."""
    before = belongings(maryam)
    yield
    assert belongings(maryam) == before


def belongings(maryam: Account) -> tuple[Any, ...]:
    """All that the commands can change."""
    row = preferences.of(maryam)
    seats = Seat.objects.filter(account=maryam)
    return (
        row.wants_mails,
        row.muted,
        list_vacations(maryam),
        Account.objects.get(pk=maryam.pk).sleep_from,
        *(rows.count() for rows in (seats, Game.objects, Invitation.objects, Seek.objects)),
    )


def forge(maryam: Account, text: str, *to: str, at: datetime = LATER, **headers: str) -> None:
    """Send an email in Maryam's name, which must change nothing and ask her."""
    with unchanged(maryam):
        send(email_bytes(text, FORGED, **headers), *to, at=at, envelope="eve@example.net")
    *_, notification = notifications(maryam, "command")
    assert notification.content().headline == "Was this email from you?"


@pytest.mark.parametrize("text", COMMANDS)
@pytest.mark.parametrize("letter", ["q", "s", "t", "b"])
def test_an_invented_address_in_the_to_line_proves_nothing(maryam: Account, letter: str, text: str) -> None:
    with unchanged(maryam):
        send(email_bytes(text, FORGED).replace(b"somebody@localhost", invented(letter).encode()), "darbar@localhost")
    (notification,) = notifications(maryam, "command")
    assert notification.content().headline == "Was this email from you?"


@pytest.mark.parametrize("text", COMMANDS)
def test_the_return_path_of_an_email_to_somebody_else_proves_nothing(maryam: Account, text: str) -> None:
    forge(
        maryam,
        text,
        reply_addresses.address(reply_addresses.BOUNCE, reply_addresses.short(uuid.uuid4())),
        "darbar@localhost",
    )


@pytest.mark.parametrize("state", [Game.State.OPEN, Game.State.CANCELLED, Game.State.RUNNING, Game.State.OVER])
def test_the_address_of_ones_own_seat_commands_no_other_account(
    game: Game, maryam: Account, sepideh: Account, state: Game.State
) -> None:
    Game.objects.filter(pk=game.pk).update(state=state)
    with unchanged(maryam):
        send(email_bytes("stop", FORGED), seat_address(game, 2), envelope="sepideh@example.org")


@pytest.mark.parametrize("text", COMMANDS)
def test_a_stand_in_does_not_command_the_account_of_the_player(
    game: Game, maryam: Account, kaveh: Account, text: str
) -> None:
    stand_ins.name_stand_in(game.pk, maryam, kaveh, NOON + 5 * DAY, NOON)
    write_due(NOON)
    (question,) = notifications(kaveh, "again")
    forge(maryam, text, question.content().reply_to, In_Reply_To=f"<{question.pk}@localhost>")


@pytest.mark.parametrize("text", COMMANDS)
def test_a_former_player_does_not_command_the_account_of_the_new_one(
    maryam: Account, sepideh: Account, bahareh: Account, text: str
) -> None:
    Heartbeat.objects.create(at=NOON)
    game = begin([sepideh, bahareh, None])
    write_due(NOON)
    (question,) = notifications(sepideh, "question")
    agree(game, absence="invite")
    absent(game, 1, NOON)
    take_over_seat(game.pk, 1, maryam, "api", NOON)
    forge(maryam, text, question.content().reply_to, In_Reply_To=f"<{question.pk}@localhost>")


@pytest.mark.parametrize("header", ["In_Reply_To", "References"])
@pytest.mark.parametrize("address", [question_address, lambda game: seat_address(game, 1)])
def test_the_message_id_of_an_email_to_somebody_else_proves_nothing(
    game: Game, maryam: Account, sepideh: Account, address: Callable[[Game], str], header: str
) -> None:
    send(email_bytes("help", "sepideh@example.org"), "darbar@localhost", envelope="sepideh@example.org")
    (help_text,) = notifications(sepideh, "command")
    forge(maryam, "stop", address(game), **{header: f"<{help_text.pk}@localhost>"})


@pytest.mark.parametrize(
    "fields",
    [
        {"created_at": LATER - timedelta(days=700)},
        {"created_at": LATER - timedelta(days=30)},
        {"channel": "ntfy"},
        {"address": "former@example.org"},
    ],
)
def test_the_id_of_an_old_email_of_another_message_or_of_another_address_proves_nothing(
    game: Game, maryam: Account, fields: dict[str, Any]
) -> None:
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    Notification.objects.filter(pk=question.pk).update(**fields)
    forge(maryam, "stop", question.content().reply_to, In_Reply_To=f"<{question.pk}@localhost>")


def test_a_reply_to_a_command_after_a_month_is_asked_back(maryam: Account) -> None:
    send(email_bytes("help"), "darbar@localhost")
    (help_text,) = notifications(maryam, "command")
    month_later = LATER + timedelta(days=31)
    address = help_text.content().reply_to
    forge(maryam, "new coup 4", address, at=month_later, In_Reply_To=f"<{help_text.pk}@localhost>")


@pytest.mark.parametrize("days", [0, 29])
@pytest.mark.parametrize("to", ["question", "mailbox"])
@pytest.mark.parametrize("header", ["In_Reply_To", "References"])
def test_the_message_id_of_a_recent_email_to_the_account_needs_no_confirmation(
    game: Game, maryam: Account, header: str, to: str, days: int
) -> None:
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    Notification.objects.filter(pk=question.pk).update(created_at=LATER - timedelta(days=days))
    address = question.content().reply_to if to == "question" else "darbar@localhost"
    send(email_bytes("stop", **{header: f"<{question.pk}@localhost>"}), address, at=LATER)
    assert not preferences.of(maryam).wants_mails
    assert Notification.objects.get(reason="command").content().headline == "These are your settings."
