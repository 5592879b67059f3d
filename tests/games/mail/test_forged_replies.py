"""Commands for an account in replies with a forged From line. Only the Message-ID of an email proves its reader."""

import uuid
from collections.abc import Callable

import pytest

from accounts.models import Account
from games.announcements.notify import write_due
from games.away import stand_ins
from games.away.vacations import list_vacations
from games.engine import SeatNumber
from games.lobby.takeover import take_over_seat
from games.models import Game, Heartbeat, Invitation, Seat, Seek
from games.text import links
from notifications.content import addresses
from notifications.models import Notification
from notifications.recipients import preferences
from tests.games.mail.test_absence import DAY
from tests.games.mail.test_road import LATER, email_bytes, notifications, question_address, send
from tests.games.seated import NOON, absent, agree, begin

pytestmark = pytest.mark.django_db

COMMANDS = ("stop", "leave", "vacation 3 days", "invite eve@example.net", "new coup 4", "seek coup", "sleep 23-7")
FORGED = "Maryam <maryam@example.org>"


def invented(letter: str) -> str:
    return f"{letter}-x1-{'a' * 26}@localhost"


def is_untouched(maryam: Account) -> bool:
    """Return whether no command has changed anything of Maryam's."""
    account = Account.objects.get(pk=maryam.pk)
    seats = Seat.objects.filter(account=account)
    return (
        preferences.of(account).wants_mails
        and not list_vacations(account)
        and account.sleep_from is None
        and seats.count() == Game.objects.count()
        and not Invitation.objects.exists()
        and not Seek.objects.exists()
    )


def forge(maryam: Account, text: str, *to: str, **headers: str) -> None:
    """Send an email in Maryam's name, which must change nothing and ask her."""
    send(email_bytes(text, FORGED, **headers), *to, envelope="eve@example.net")
    assert is_untouched(maryam)
    (question,) = notifications(maryam, "command")
    assert question.content().headline == "Was this email from you?"


@pytest.mark.parametrize("text", COMMANDS)
@pytest.mark.parametrize("letter", ["q", "s", "t", "b"])
def test_an_invented_address_in_the_to_line_proves_nothing(maryam: Account, letter: str, text: str) -> None:
    send(email_bytes(text, FORGED).replace(b"somebody@localhost", invented(letter).encode()), "darbar@localhost")
    assert is_untouched(maryam)
    (question,) = notifications(maryam, "command")
    assert question.content().headline == "Was this email from you?"


@pytest.mark.parametrize("text", COMMANDS)
def test_the_return_path_of_an_email_to_somebody_else_proves_nothing(maryam: Account, text: str) -> None:
    forge(maryam, text, addresses.address(addresses.BOUNCE, addresses.short(uuid.uuid4())), "darbar@localhost")


@pytest.mark.parametrize("state", [Game.State.OPEN, Game.State.CANCELLED, Game.State.RUNNING, Game.State.OVER])
def test_the_address_of_ones_own_seat_commands_no_other_account(
    game: Game, maryam: Account, sepideh: Account, state: Game.State
) -> None:
    Game.objects.filter(pk=game.pk).update(state=state)
    send(email_bytes("stop", FORGED), links.seat_address(game.pk, SeatNumber(2)), envelope="sepideh@example.org")
    assert is_untouched(maryam)


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


@pytest.mark.parametrize("address", [question_address, lambda game: links.seat_address(game.pk, SeatNumber(1))])
def test_the_message_id_of_an_email_to_somebody_else_proves_nothing(
    game: Game, maryam: Account, sepideh: Account, address: Callable[[Game], str]
) -> None:
    send(email_bytes("help", "sepideh@example.org"), "darbar@localhost", envelope="sepideh@example.org")
    (help_text,) = notifications(sepideh, "command")
    forge(maryam, "stop", address(game), In_Reply_To=f"<{help_text.pk}@localhost>")


@pytest.mark.parametrize("to", ["question", "mailbox"])
def test_the_message_id_of_an_email_to_the_account_needs_no_confirmation(game: Game, maryam: Account, to: str) -> None:
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    address = question.content().reply_to if to == "question" else "darbar@localhost"
    send(email_bytes("stop", In_Reply_To=f"<{question.pk}@localhost>"), address, at=LATER)
    assert not preferences.of(maryam).wants_mails
    assert Notification.objects.get(reason="command").content().headline == "These are your settings."
