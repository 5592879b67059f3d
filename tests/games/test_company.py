"""Accounts that may belong together: which pairs moderators are shown, and in which words."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import security_log
from accounts.models import Account
from games import moderation
from games.models import Game, Result
from tests.games.operations.admin.conftest import browser, kaveh

__all__ = ["kaveh"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db: None) -> list[Account]:
    """Eight who play."""
    return [Account.objects.create_user(f"{number}@example.org", name=f"Player {number}") for number in range(8)]


def played(*players: Account, ratings: Sequence[int | None] = (), days_ago: int = 1, bots: int = 0, **row: Any) -> None:
    """A game that is over, with these ratings after it; the first player won."""
    ended = timezone.now() - timedelta(days=days_ago)
    count = len(players) + bots
    columns = {
        "rules": "coup",
        "rules_version": 1,
        "seat_count": count,
        "state": Game.State.OVER,
        "commitment": "0" * 64,
    }
    game = Game.objects.create(**{**columns, "created_at": ended, "ended_at": ended, "counted": True, **row})
    for seat in range(count):
        account, rating = (players[seat], (*ratings, *[None] * count)[seat]) if seat < len(players) else (None, None)
        Result.objects.create(
            game=game, seat=seat + 1, account=account, bot=account is None, won=not seat, place=seat + 1, team=seat + 1,
            asked=1, in_time=1, rating=rating,
        )  # fmt: skip


def pairs_with(reader: Account, sign: str) -> list[tuple[str, str, int]]:
    """The pairs that are shown to a reader for this reason."""
    return [
        (pair.first.name, pair.second.name, reason.count)
        for pair in moderation.pairs_to_review(reader, timezone.now())
        for reason in pair.reasons
        if reason.sign == sign
    ]


def test_addresses_of_one_mailbox(kaveh: Account) -> None:
    for name, address in enumerate(("maryam@example.org", "Maryam+2@Example.org", "maryam@example.com")):
        Account.objects.create_user(address, name=f"Player {name}")
    Account.objects.create_user("maryam+guest@example.org", name="Player 9", is_guest=True)
    assert pairs_with(kaveh, "mailbox") == [("Player 0", "Player 1", 1)]


def test_browsers_and_networks(kaveh: Account, people: list[Account]) -> None:
    for account in people[:2]:
        security_log.note_browser(account, ["ab" * 10], timezone.now())
    assert pairs_with(kaveh, "browser") == [("Player 0", "Player 1", 1)]


def test_two_who_play_with_nobody_else(kaveh: Account, people: list[Account]) -> None:
    one, other, third, *rest = people
    for number in range(4):
        played(one, other, rest[number])
    assert pairs_with(kaveh, "only-each-other") == []
    played(other, one, state=Game.State.OVER)
    played(one, bots=2)
    assert pairs_with(kaveh, "only-each-other") == [("Player 0", "Player 1", 5)]
    played(one, third)
    assert pairs_with(kaveh, "only-each-other") == []


def test_a_group_of_friends_is_no_pair_and_old_games_do_not_count(kaveh: Account, people: list[Account]) -> None:
    for _ in range(6):
        played(*people[:4])
        played(*people[5:7], days_ago=91)
    assert pairs_with(kaveh, "only-each-other") == []


def test_ratings_that_move_one_way(kaveh: Account, people: list[Account]) -> None:
    one, other, third, fourth = people[:4]
    for number in range(6):
        played(one, other, ratings=(1500 + 10 * number, 1500 - 8 * number))
        played(*((third, fourth) if number % 2 else (fourth, third)), ratings=(1500 + number % 2, 1501 - number % 2))
    assert pairs_with(kaveh, "one-sided") == [("Player 0", "Player 1", 5)]
    (pair,) = [pair for pair in moderation.pairs_to_review(kaveh, timezone.now()) if pair.first == one]
    (reason,) = [reason for reason in pair.reasons if reason.sign == "one-sided"]
    assert (reason.winner, reason.won, reason.lost) == (one.pk, 50, 40)


def test_somebody_who_loses_to_many_feeds_nobody(kaveh: Account, people: list[Account]) -> None:
    one, other, *rest = people
    for number in range(6):
        played(one, other, ratings=(1500 + 10 * number, 1500 - 16 * number))
        for third in range(2):
            played(rest[number], other, ratings=(1500, 1500 - 16 * number - 4 * (third + 1)))
    assert pairs_with(kaveh, "one-sided") == []


def test_games_with_bots_are_rated_apart_and_feed_nobody(kaveh: Account, people: list[Account]) -> None:
    for number in range(6):
        played(*people[:2], ratings=(1500 + 10 * number, 1500 - 8 * number), bots=1)
    assert pairs_with(kaveh, "one-sided") == []


def test_a_moderator_reads_the_reasons_in_words_and_nobody_else_does(kaveh: Account, people: list[Account]) -> None:
    one, other = people[:2]
    for number in range(6):
        played(one, other, ratings=(1500 + 10 * number, 1500 - 8 * number), private=True)
    for account in people[:2]:
        security_log.note_browser(account, ["ab" * 10], timezone.now())
    address = reverse("admin:company")
    moderator = browser(kaveh)
    html = moderator.get(address).content.decode()
    for words in (
        "Both have logged in from the same browser.",
        "Each has played against people 6 times, always against the other.",
        "rose by 50 points",
        reverse("admin:accounts_account_change", args=[one.pk]),
        "from the last 14 days",
    ):
        assert words in html
    assert address in moderator.get(reverse("admin:index")).content.decode()
    Account.objects.filter(pk=kaveh.pk).update(language="fa")
    assert "هر دو با یک مرورگر" in moderator.get(address).content.decode()
    assert moderator.post(address).status_code == 405
    clerk = Account.objects.create_user("clerk@example.org", name="Clerk", is_staff=True)
    assert browser(clerk).get(address).status_code == 403
    assert browser(one).get(address, follow=True).status_code == 403


def test_nobody_is_shown_a_pair_of_their_own(kaveh: Account, people: list[Account]) -> None:
    for account in (kaveh, people[0]):
        security_log.note_browser(account, ["ab" * 10], timezone.now())
    assert pairs_with(kaveh, "browser") == []
    assert len(pairs_with(people[1], "browser")) == 1


def test_without_sightings_the_page_says_so(kaveh: Account, settings: Any) -> None:
    settings.KEEP_SIGHTINGS = timedelta()
    html = browser(kaveh).get(reverse("admin:company")).content.decode()
    assert "This server doesn’t keep networks or browsers." in html
    assert "There are no such pairs." in html
