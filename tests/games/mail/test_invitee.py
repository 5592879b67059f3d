"""Tests of replies to invitations: their senders, their effects, and the answers."""

from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.mail import invitation_handler
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game, Invitation
from games.tables import invitations
from games.tables.joining import join_game
from games.tables.starting import start_game
from notifications import deliverability, preferences
from notifications.deliver import deliver_due
from notifications.email.message import message
from notifications.models import Notification
from tests.third_game.table import LATER, NOON, create_fist, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

KAVEH = "Kaveh Ahangar <Kaveh@Example.com>"
HIM = "kaveh@example.com"


@pytest.fixture
def game(maryam: Account) -> Game:
    return create_fist(maryam, seat_count=3)


@pytest.fixture
def invitation(game: Game, maryam: Account) -> Invitation:
    """An invitation to Kaveh, who has no account."""
    invitation = invitations.invite(game.id, maryam, HIM, "en", NOON)
    write_due(NOON)
    return invitation


def email_bytes(text: str, sender: str = KAVEH, **headers: str) -> bytes:
    """The reply to an invitation."""
    mail = EmailMessage()
    mail["From"] = sender
    mail["Subject"] = "Re: Fist"
    mail["Message-ID"] = f"<{abs(hash((text, sender, *headers)))}@example.com>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(f"{text}\n")
    return mail.as_bytes()


def reply(invitation: Invitation, raw: bytes, at: Any = LATER, envelope: str = HIM) -> None:
    """Receive and read a reply."""
    receive(raw, envelope, [links.invitation_address(invitation.pk)], at)
    mail_tasks.read_due(at)


def answers(reason: str = "answer") -> list[Notification]:
    """The notifications of this reason, the oldest first."""
    return list(Notification.objects.filter(reason=reason).order_by("created_at", "key"))


def text_of(notification: Notification) -> str:
    return " ".join(str(message(notification).body).split())


def state(invitation: Invitation) -> str:
    return Invitation.objects.get(pk=invitation.pk).state


@pytest.mark.parametrize("word", ["join", "Join!", "پیوستن"])
def test_join_seats_whoever_was_invited_under_the_name_their_mails_bear(
    invitation: Invitation, game: Game, word: str
) -> None:
    reply(invitation, email_bytes(word))
    kaveh = Account.objects.get(email=HIM)
    assert EmailAddress.objects.get(user=kaveh).verified
    assert (game.seats.get(number=2).player, state(invitation)) == ("Kaveh Ahangar", "joined")
    (welcome,) = answers("welcome")
    assert welcome.account == kaveh
    assert "name Bahareh" in text_of(welcome)
    assert welcome.content().in_reply_to == message_from_bytes(email_bytes(word))["Message-ID"]


def test_whoever_has_joined_stops_the_mails_of_that_game_with_one_click(
    invitation: Invitation, game: Game, client: Client
) -> None:
    reply(invitation, email_bytes("join"))
    reply(invitation, email_bytes("name Kaveh the Smith"))
    kaveh = Account.objects.get(email=HIM)
    for notification in answers("welcome") + answers():
        link = message(notification).extra_headers["List-Unsubscribe"].strip("<>")
        preferences.unmute(kaveh.pk, [f"game:{game.id}"])
        client.post(urlsplit(link).path, {"List-Unsubscribe": "One-Click"})
        assert preferences.of(Account.objects.get(pk=kaveh.pk)).muted == [f"game:{game.id}"]
    assert not deliverability.is_suppressed(HIM)


def test_join_fills_the_table_and_begins_the_game(invitation: Invitation, game: Game, bahareh: Account) -> None:
    join_game(game.id, bahareh, "", "api", NOON)
    reply(invitation, email_bytes("join"))
    game.refresh_from_db()
    assert game.state == Game.State.RUNNING
    write_due(LATER)
    assert Notification.objects.filter(account__email=HIM, topic=f"game:{game.id}", state="ready").exists()


def test_the_same_answer_delivered_five_times_joins_once(invitation: Invitation, game: Game) -> None:
    for _ in range(5):
        reply(invitation, email_bytes("join"))
    assert game.seats.count() == 2
    assert len(answers("welcome")) == 1
    assert answers() == []


def test_no_declines_and_is_not_answered(invitation: Invitation) -> None:
    reply(invitation, email_bytes("نه"))
    assert state(invitation) == "declined"
    assert answers() == []
    reply(invitation, email_bytes("join"))
    assert state(invitation) == "joined"


def test_never_is_kept_and_nothing_is_sent_any_more(invitation: Invitation, game: Game, maryam: Account) -> None:
    reply(invitation, email_bytes("never"))
    assert (state(invitation), deliverability.is_suppressed(HIM)) == ("declined", True)
    reply(invitation, email_bytes("join"))
    again = invitations.invite(game.id, maryam, HIM, "en", LATER)
    write_due(LATER)
    reply(again, email_bytes("what?"))
    assert not Account.objects.filter(email=HIM).exists()
    deliver_due(LATER)
    assert not Notification.objects.filter(state__in=["ready", "sent"]).exists()


@pytest.mark.parametrize("sender", ["Maryam <maryam@example.org>", "kaveh@example.net", f"a@b.example, {KAVEH}"])
@pytest.mark.parametrize("word", ["join", "no", "never", "name Zahra", "nonsense"])
def test_from_another_address_nothing_is_done_and_the_invited_one_is_asked_once(
    invitation: Invitation, game: Game, sender: str, word: str
) -> None:
    reply(invitation, email_bytes(word, sender))
    reply(invitation, email_bytes(f"{word} ", sender, X_Copy="2"))
    assert (state(invitation), deliverability.is_suppressed(HIM), game.seats.count()) == ("open", False, 1)
    (doubt,) = answers()
    assert doubt.destination() == HIM
    assert links.invitation_page(invitation.pk) in str(message(doubt).body)


def test_a_failed_authentication_moves_nothing(invitation: Invitation, game: Game, settings: Any) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    failed = "mx.darbar.example; dmarc=fail header.from=example.com"
    reply(invitation, email_bytes("join", Authentication_Results=failed))
    assert game.seats.count() == 1
    assert len(answers()) == 1


def test_each_confirmed_address_of_the_invited_account_may_answer(
    invitation: Invitation, game: Game, bahareh: Account
) -> None:
    for address in (HIM, bahareh.email):
        EmailAddress.objects.create(user=bahareh, email=address, verified=True)
    EmailAddress.objects.create(user=bahareh, email="old@example.org", verified=False)
    reply(invitation, email_bytes("join", "old@example.org"))
    assert game.seats.count() == 1
    reply(invitation, email_bytes("join", bahareh.email))
    assert game.seats.get(number=2).account == bahareh


@pytest.mark.parametrize("text", ["Yes\n\nZari", "yes\n\nUpdate: I can't", "confirm\nallow"])
def test_a_yes_with_more_below_it_is_asked_back_as_an_answer_to_the_invitation(
    game: Game, maryam: Account, bahareh: Account, text: str
) -> None:
    invitation = invitations.invite(game.id, maryam, bahareh.email, "en", NOON)
    reply(invitation, email_bytes(text, bahareh.email))
    assert (state(invitation), len(answers()), answers("command")) == ("open", 1, [])


@pytest.mark.parametrize(
    ("headers", "envelope"), [({"Auto_Submitted": "auto-replied"}, HIM), ({"Precedence": "bulk"}, HIM), ({}, "")]
)
@pytest.mark.parametrize("word", ["join", "never", "On holiday"])
def test_what_a_machine_wrote_does_nothing_and_is_not_answered(
    invitation: Invitation, headers: dict[str, str], envelope: str, word: str
) -> None:
    reply(invitation, email_bytes(word, **headers), envelope=envelope)
    assert (state(invitation), deliverability.is_suppressed(HIM), answers()) == ("open", False, [])


def test_what_cannot_be_read_is_answered_with_what_can_be_said(invitation: Invitation) -> None:
    reply(invitation, email_bytes("maybe later"))
    (answer,) = answers()
    assert (answer.account, answer.destination()) == (None, HIM)
    for text in ("maybe later", "join", "no", "never"):
        assert text in text_of(answer)
    assert answer.content().reply_to == links.invitation_address(invitation.pk)
    assert answer.content().in_reply_to.endswith("@example.com>")


def test_what_cannot_be_accepted_any_more_is_said_once(
    invitation: Invitation, game: Game, maryam: Account, bahareh: Account
) -> None:
    other = invitations.invite(game.id, maryam, "sara@example.com", "en", NOON)
    invitations.withdraw(game.id, maryam, other.pk, NOON)
    start_game(join_game(game.id, bahareh, "", "api", NOON).id, maryam, NOON)
    for number in range(3):
        reply(invitation, email_bytes("join", X_Copy=str(number), **{f"X_{number}": "1"}))
        reply(other, email_bytes("join", "sara@example.com", **{f"X_{number}": "1"}), envelope="sara@example.com")
    full, withdrawn = sorted(map(text_of, answers()), key=lambda text: "withdrawn" in text)
    assert "no longer open" in full
    assert "has been withdrawn" in withdrawn
    assert not Account.objects.filter(email__in=[HIM, "sara@example.com"]).exists()


def test_whoever_joined_changes_their_name_by_reply(invitation: Invitation, game: Game) -> None:
    reply(invitation, email_bytes("join"))
    reply(invitation, email_bytes("name Zahra Kaveh"))
    assert game.seats.get(number=2).player == "Zahra Kaveh"
    reply(invitation, email_bytes("نام: زهرا"))
    assert game.seats.get(number=2).player == "زهرا"
    reply(invitation, email_bytes("name Maryam"))
    texts = [text_of(answer) for answer in answers()]
    assert sum("This name is taken" in text for text in texts) == 1
    assert sum("Your name is now" in text for text in texts) == 2
    assert game.seats.get(number=2).player == "زهرا"


@pytest.mark.parametrize("text", ["join, call me Maryam", "OK, call me Maryam", "join as Maryam"])
def test_a_name_that_is_taken_is_told_to_whoever_asked_for_it(invitation: Invitation, game: Game, text: str) -> None:
    reply(invitation, email_bytes(text))
    (welcome,) = answers("welcome")
    assert "couldn’t give you the name Maryam. This name is taken" in text_of(welcome).replace("\u2068", "").replace(
        "\u2069", ""
    )
    assert f"Your name in the game is {welcome.account.name}" in text_of(welcome)


def test_a_name_that_is_free_needs_no_word(invitation: Invitation, game: Game) -> None:
    reply(invitation, email_bytes("OK, call me Zari"))
    (welcome,) = answers("welcome")
    assert welcome.account.name == "Zari"
    assert "couldn’t give you the name" not in text_of(welcome)


def test_whoever_writes_without_end_is_not_answered_without_end(invitation: Invitation) -> None:
    for number in range(invitation_handler.HOURLY_LIMIT + 3):
        reply(invitation, email_bytes(f"what? {number}"))
    assert len(answers()) == invitation_handler.HOURLY_LIMIT
    reply(invitation, email_bytes("what?"), LATER + timedelta(hours=2))
    assert len(answers()) == invitation_handler.HOURLY_LIMIT + 1


def test_an_answer_to_no_invitation_of_ours_is_nothing(invitation: Invitation, game: Game) -> None:
    address = links.invitation_address(invitation.pk)
    invitation.delete()
    receive(email_bytes("join"), HIM, [address], LATER)
    mail_tasks.read_due(LATER)
    assert (game.seats.count(), answers()) == (1, [])


def test_join_with_a_name_seats_them_under_it(invitation: Invitation) -> None:
    reply(invitation, email_bytes("Hi! I'd love to join, my name is Ahangar"))
    assert state(invitation) == "joined"
    joined = Invitation.objects.get(pk=invitation.pk).account
    assert joined is not None
    assert joined.name == "Ahangar"
