"""Inviting by address: what goes out, what the answers do, and what hidden."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts import blocks, email_addresses
from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.models import Bot, Game, Invitation
from games.tables import invitations
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from notifications import deliverability
from notifications.email.message import message
from notifications.models import Notification, State
from tests.accounts.people import Person
from tests.games.seated import refused
from tests.third_game.table import NOON, create_fist, fresh, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

KAVEH = "kaveh@example.com"


@pytest.fixture
def game(maryam: Account) -> Game:
    """An open table with room for two more."""
    return create_fist(maryam, seat_count=3)


def invited(game: Game, inviter: Account, address: str = KAVEH, language: str = "en") -> Invitation:
    """An invitation, its notification written."""
    invitation = invitations.invite(game.id, inviter, address, language, NOON)
    write_due(NOON)
    return invitation


def again(invitation: Invitation) -> Invitation:
    """Return the stored invitation, to be answered."""
    return Invitation.objects.select_related("game", "inviter", "account").get(pk=invitation.pk)


def notification_of(invitation: Invitation) -> Notification:
    return Notification.objects.get(key=f"invitation:{invitation.pk}")


def text_of(notification: Notification) -> str:
    assert notification.state == State.READY, notification.state
    return str(message(notification).body)


def test_an_invitation_says_who_invites_to_what_at_which_pace_and_how_to_answer(game: Game, maryam: Account) -> None:
    notification = notification_of(invited(game, maryam))
    assert notification.destination() == KAVEH
    text = " ".join(text_of(notification).split())
    for word in (
        "“Maryam” invites you",
        "2 days for a turn, and 1 day for",
        "Seats: 3. Taken: 1.",
        "join",
        "no",
        "never",
    ):
        assert word in text
    assert fresh(game).commitment in text
    assert "/invitation/j-" in text


@pytest.mark.parametrize("language", ["en", "fa"])
def test_an_invitation_has_at_most_40_lines_and_links_the_rules(maryam: Account, language: str) -> None:
    options = {"inquisitor": True, "reformation": True, "anarchist": True}
    new_game = NewGame(rules="coup", seat_count=5, bots=(Bot(), Bot()), options=options)
    game = create_game(maryam, new_game, "web", NOON)
    invitation = invitations.invite(game.pk, maryam, KAVEH, language, NOON, note="Come and play! " * 10)
    write_due(NOON)
    text = text_of(notification_of(invitation))
    assert "/rules/coup/" in text
    assert len(text.splitlines()) <= 40


def test_an_invitation_is_written_in_the_language_that_was_chosen(game: Game, maryam: Account) -> None:
    text = text_of(notification_of(invited(game, maryam, language="fa")))
    for word in ("پیوستن", "نه", "هرگز", "دعوت"):
        assert word in text


def test_one_click_in_a_mail_program_ends_all_mail_to_the_address(game: Game, maryam: Account) -> None:
    headers = message(notification_of(invited(game, maryam))).extra_headers
    assert headers["List-Unsubscribe"].endswith("/stop/>")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_whoever_sits_at_an_open_table_may_invite_and_nobody_else(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    join_game(game.id, bahareh, "", "api", NOON)
    invited(game, bahareh)
    refused("forbidden", invitations.invite, game.id, dariush, KAVEH, "en", NOON)
    join_game(game.id, dariush, "", "api", NOON)
    refused("conflict", invitations.invite, game.id, maryam, "sara@example.com", "en", NOON)


def test_joining_makes_an_account_with_the_address_confirmed_and_no_password(game: Game, maryam: Account) -> None:
    invitation = invited(game, maryam, language="fa")
    invitations.join(again(invitation), "Kaveh Ahangar", "mail", NOON)
    kaveh = Account.objects.get(email=KAVEH)
    assert (kaveh.name, kaveh.language, kaveh.has_usable_password()) == ("Kaveh Ahangar", "fa", False)
    assert EmailAddress.objects.get(user=kaveh).verified
    assert game.seats.get(account=kaveh).number == 2
    assert (again(invitation).state, again(invitation).account) == ("joined", kaveh)
    welcome = Notification.objects.get(account=kaveh, reason="welcome")
    assert "Kaveh Ahangar" in text_of(welcome)


@pytest.mark.parametrize(
    ("calls", "name"),
    [
        ("", "Kaveh"),
        ("join", "Kaveh"),
        ("kaveh@example.com", "Kaveh"),
        ("Kav\u202eeh", "Kav eh"),
        ("Maryam", "Kaveh"),
        ("x" * 90, "Kaveh"),
    ],
)
def test_a_newcomer_gets_a_name_that_is_free_and_no_word_of_play(
    game: Game, maryam: Account, calls: str, name: str
) -> None:
    assert invitations.join(again(invited(game, maryam)), calls, "mail", NOON).name == name


def test_a_newcomer_whose_every_name_is_taken_gets_a_number(db: None) -> None:
    for number in range(2):
        Account.objects.create_user(f"{number}@example.org", name=("Kaveh", "Guest")[number])
    assert email_addresses.create_account_for(KAVEH, "Kaveh", "en", NOON).name == "Kaveh 2"


def test_joining_uses_the_account_that_the_address_belongs_to(game: Game, maryam: Account, dariush: Account) -> None:
    EmailAddress.objects.create(user=dariush, email=dariush.email, verified=True, primary=True)
    EmailAddress.objects.create(user=dariush, email=KAVEH, verified=True)
    assert invitations.join(again(invited(game, maryam)), "Kaveh", "mail", NOON) == dariush
    assert not Account.objects.filter(email=KAVEH).exists()


def test_a_sign_up_that_nobody_confirmed_does_not_get_the_seat(game: Game, maryam: Account) -> None:
    stranger = Person("Stranger")
    stranger.email = KAVEH
    assert stranger.sign_up(email=KAVEH).status_code == 202
    joined = invitations.join(again(invited(game, maryam)), "Kaveh", "mail", NOON)
    assert joined.name == "Kaveh"
    assert not joined.has_usable_password()
    assert stranger.confirm().status_code == 400
    assert not Account.objects.filter(name="Stranger").exists()


def test_a_private_tables_code_is_not_asked_of_whoever_is_invited(maryam: Account) -> None:
    game = create_fist(maryam, seat_count=3, private=True)
    invitations.join(again(invited(game, maryam)), "", "mail", NOON)
    assert game.seats.count() == 2


def test_an_invitation_is_used_once_and_not_for_a_table_that_is_full_or_withdrawn(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    first, second, third = (invited(game, maryam, f"{number}@example.com") for number in "123")
    invitations.join(again(first), "Sara", "mail", NOON)
    refused("conflict", invitations.join, again(first), "Sara", "mail", NOON)
    invitations.withdraw(game.id, maryam, second.pk, NOON)
    assert "withdrawn" in str(refused("conflict", invitations.join, again(second), "Mina", "mail", NOON))
    join_game(game.id, bahareh, "", "api", NOON)
    refused("conflict", invitations.join, again(third), "Nasrin", "mail", NOON)
    assert not Account.objects.filter(name__in=["Mina", "Nasrin"]).exists()


def test_who_declined_may_think_better_of_it(game: Game, maryam: Account) -> None:
    invitation = invited(game, maryam)
    invitations.decline(again(invitation), NOON)
    assert again(invitation).state == "declined"
    invitations.join(again(invitation), "", "mail", NOON)
    assert again(invitation).state == "joined"


def test_only_the_sender_withdraws_and_a_notification_that_has_not_gone_does_not_go(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    join_game(game.id, bahareh, "", "api", NOON)
    invitation = invited(game, maryam)
    refused("forbidden", invitations.withdraw, game.id, bahareh, invitation.pk, NOON)
    invitations.withdraw(game.id, maryam, invitation.pk, NOON)
    assert notification_of(invitation).state == State.DROPPED


def test_never_keeps_a_hash_only_and_nothing_goes_to_the_address_any_more(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    first = invited(game, maryam)
    other = create_fist(bahareh, seat_count=3)
    second = invited(other, bahareh, "Kaveh+games@Example.com")
    invitations.suppress_address(again(first), NOON)
    assert {again(invitation).state for invitation in (first, second)} == {"declined"}
    third = invitations.invite(game.id, maryam, KAVEH, "en", NOON)
    write_due(NOON)
    assert notification_of(third).state == State.DROPPED
    assert again(third).state == "open"
    assert deliverability.is_suppressed(KAVEH)
    assert not Notification.objects.filter(address__icontains="kaveh").exclude(state=State.DROPPED).exists()
    assert not Invitation.objects.filter(address__icontains="kaveh").exclude(pk=third.pk).exists()


def test_a_notification_that_was_ready_when_never_was_said_is_gone(game: Game, maryam: Account) -> None:
    invitation = invited(game, maryam)
    invitations.suppress_address(again(invitation), NOON)
    assert not Notification.objects.filter(address=KAVEH).exists()


def test_what_reaches_nobody_is_taken_all_the_same(game: Game, maryam: Account, dariush: Account) -> None:
    blocks.block(dariush, maryam, NOON)
    closed = Account.objects.create_user("closed@example.org", name="Closed", is_active=False)
    deliverability.suppress("silent@example.org", NOON)
    for address in (dariush.email, closed.email, "silent@example.org", maryam.email):
        invitation = invited(game, maryam, address)
        assert (again(invitation).state, notification_of(invitation).state) == ("open", State.DROPPED), address


def test_two_who_invite_the_same_person_to_one_table_send_one_notification(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    join_game(game.id, bahareh, "", "api", NOON)
    assert notification_of(invited(game, maryam)).state == State.READY
    later = invitations.invite(game.id, bahareh, KAVEH, "en", NOON + timedelta(seconds=1))
    write_due(NOON + timedelta(seconds=1))
    assert notification_of(later).state == State.DROPPED
    refused("conflict", invitations.invite, game.id, maryam, KAVEH, "en", NOON)


@pytest.mark.parametrize("bound", range(len(invitations.INVITATION_LIMITS)))
def test_there_are_bounds_for_each_sender_address_and_domain(
    maryam: Account, monkeypatch: pytest.MonkeyPatch, bound: int
) -> None:
    field, _, within, sentence = invitations.INVITATION_LIMITS[bound]
    monkeypatch.setattr(invitations, "INVITATION_LIMITS", ((field, 2, within, sentence),))
    mailbox, domain = (field == "mailbox", field == "domain")

    def invite(number: int, at: Any) -> Any:
        inviter = Account.objects.create_user(f"{number}@example.org", name=f"Host {number}") if number else maryam
        host = maryam if field == "inviter" else inviter
        address = KAVEH if mailbox else f"{number}@{'example.com' if domain else f'{number}.example.com'}"
        return invitations.invite(create_fist(host, seat_count=3).id, host, address, "en", at)

    invite(0, NOON)
    invite(1, NOON + timedelta(hours=1))
    refusal = refused("rate-limited", invite, 2, NOON + within - timedelta(seconds=1))
    assert "2" in str(refusal.phrase)
    assert refusal.wait == 2
    invite(3, NOON + within + timedelta(seconds=1))


def test_addresses_are_forgotten_a_month_after_they_are_needed(game: Game, maryam: Account) -> None:
    waiting, answered = invited(game, maryam), invited(game, maryam, "sara@example.com")
    invitations.decline(again(answered), NOON)
    for after, text in (
        (invitations.ADDRESS_RETENTION, "sara@example.com"),
        (invitations.ADDRESS_RETENTION + timedelta(seconds=1), ""),
    ):
        invitations.forget_old_addresses(NOON + after)
        assert again(answered).address == text
        assert Notification.objects.filter(address="sara@example.com").exists() is bool(text)
    assert again(waiting).address == KAVEH


def test_whoever_joined_may_change_their_name(game: Game, maryam: Account) -> None:
    invitation = invited(game, maryam)
    refused("conflict", invitations.rename, again(invitation), "Zahra")
    invitations.join(again(invitation), "", "mail", NOON)
    assert invitations.rename(again(invitation), " Zahra ") == "Zahra"
    for wrong in ("Maryam", "join", "7", "x" * 41):
        refused("malformed", invitations.rename, again(invitation), wrong)
    assert Account.objects.get(email=KAVEH).name == "Zahra"


def test_an_account_that_ends_takes_its_invitations_along(game: Game, maryam: Account, bahareh: Account) -> None:
    join_game(game.id, bahareh, "", "api", NOON)
    sent, got = invited(game, maryam), invited(create_fist(bahareh, seat_count=3), bahareh, maryam.email)
    invitations.forget_account(maryam)
    assert {again(invitation).address for invitation in (sent, got)} == {""}
    assert not Notification.objects.filter(reason="invitation").exists()


def test_words_of_the_inviters_own_are_told_as_theirs_and_escaped(game: Game, maryam: Account) -> None:
    invitation = invitations.invite(game.id, maryam, KAVEH, "en", NOON, note=" Come\nand <b>play</b>, Ali! ")
    write_due(NOON)
    mail = message(notification_of(invitation))
    html = " ".join(str(mail.alternatives[0].content).split())
    assert "“Maryam” writes: “Come and <b>play</b>, Ali!”" in " ".join(str(mail.body).split())
    assert "“Maryam” writes: “Come and &lt;b&gt;play&lt;/b&gt;, Ali!”" in html
    page = Client().get(urlsplit(links.invitation_page(invitation.pk)).path).content.decode()
    assert "“Maryam” writes: “Come and &lt;b&gt;play&lt;/b&gt;, Ali!”" in page


def test_an_invitation_without_such_words_says_nothing_of_them(game: Game, maryam: Account) -> None:
    assert "writes" not in text_of(notification_of(invited(game, maryam)))


@pytest.mark.parametrize("note", ["x" * 201, "See https://example.com", "see WWW.example.com"])
def test_such_words_are_few_and_hold_no_link(game: Game, maryam: Account, note: str) -> None:
    assert refused("malformed", invitations.invite, game.id, maryam, KAVEH, "en", NOON, None, note).field == "note"
    assert not Invitation.objects.exists()


def test_such_words_are_forgotten_with_the_address(game: Game, maryam: Account) -> None:
    invitation = invitations.invite(game.id, maryam, KAVEH, "en", NOON, note="Come and play!")
    invitations.forget_account(maryam)
    assert again(invitation).note == ""


@pytest.mark.parametrize("address", ["root@localhost", "a@[127.0.0.1]", "a@nas.local", "kaveh", "x@guest.invalid"])
def test_no_invitation_goes_to_an_address_that_is_not_public(game: Game, maryam: Account, address: str) -> None:
    refusal = refused("malformed", invitations.invite, game.id, maryam, address, "en", NOON)
    assert refusal.field == "email"
    assert not Invitation.objects.exists()


def test_no_invitation_goes_to_an_address_of_this_server(game: Game, maryam: Account) -> None:
    invitation_address = links.invitation_address(invited(game, maryam).pk)
    assert refused("malformed", invitations.invite, game.id, maryam, invitation_address, "en", NOON).field == "email"


def test_the_page_says_what_is_wrong_with_an_address(game: Game, maryam: Account, client: Client) -> None:
    client.force_login(maryam)
    answer = client.post(f"/games/{game.pk}/invite/", {"address": "root@localhost", "language": "en"}, follow=True)
    assert (
        "Use an address with a public domain" in answer.content.decode() or "Enter a valid" in answer.content.decode()
    )
    assert not Invitation.objects.exists()
