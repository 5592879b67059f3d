"""An email that asks something has at most 40 kB, its picture among them."""

import re
from datetime import timedelta

import pytest
from msgspec.structs import replace

from accounts.models import Account
from games.announcements.email_blocks import LIMIT, with_picture
from games.announcements.notify import write_due
from games.visibility.player_view import PlayerView
from notifications.content import Picture
from notifications.email.message import message, size_at_most
from notifications.models import Notification
from tests.games.seated import NOON, begin, play
from tests.mail_sizes import ADDRESSES, EXPANSIONS, measured

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rules", "seats", "options", "most"),
    [("coup", 3, EXPANSIONS, 8), ("coup", 10, EXPANSIONS, 4), ("sedlec", 3, {}, 4)],
)
def test_an_email_that_asks_something_has_40_kilobytes_with_its_picture(
    rules: str, seats: int, options: dict[str, bool], most: int, settings: object
) -> None:
    for name, value in ADDRESSES.items():
        setattr(settings, name, value)
    sizes = measured(rules, seats, options, "fa", most)
    assert len(sizes.asking) >= most
    assert max(sizes.asking) <= LIMIT
    if seats == 10:  # the first emails of ten players have the rules in short, and some no room for a picture
        assert sizes.without_picture <= len(sizes.asking) / 2
    else:
        assert not sizes.without_picture


def test_a_picture_gives_way_where_the_rest_takes_more_room(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin([maryam, bahareh, None])
    write_due(NOON)
    notification = Notification.objects.get(account=maryam, reason="question")
    rendered, view = notification.content(), PlayerView(game, 1, maryam)  # type: ignore[arg-type]
    blank = replace(
        rendered,
        blocks=tuple(view.blank_picture() if isinstance(block, Picture) else block for block in rendered.blocks),
    )
    whole = size_at_most(rendered)
    monkeypatch.setattr("games.announcements.email_blocks.LIMIT", whole - 1000)
    smaller = with_picture(blank, view)
    assert size_at_most(smaller) <= whole - 1000
    assert 0 < smaller.pictures[0].width < rendered.pictures[0].width
    for limit in range(size_at_most(smaller) - 4, size_at_most(smaller)):
        monkeypatch.setattr("games.announcements.email_blocks.LIMIT", limit)
        assert size_at_most(with_picture(blank, view)) <= limit, "not even by a byte"
    monkeypatch.setattr("games.announcements.email_blocks.LIMIT", whole - len(rendered.pictures[0].png))
    assert not with_picture(blank, view).pictures


def test_many_answers_stand_in_rows_with_their_numbers(maryam: Account) -> None:
    people = [Account.objects.create_user(f"p{number}@example.org", name=f"P{number}x") for number in range(7)]
    begin([maryam, *people], ["duke", "captain"] * 4 + ["contessa", "assassin"] * 4, inquisitor=True)
    write_due(NOON)
    mail = message(Notification.objects.get(account=maryam, reason="question"))
    assert "  Steal from … with the captain: 4. P0x, 5. P1x, " in str(mail.body)
    assert "  1. Take income: 1 coin" in str(mail.body)
    html = str(mail.alternatives[0].content)
    assert "4. P0x, 5. P1x" in " ".join(html.split())
    assert html.count("/answer/") == 1


@pytest.mark.parametrize(
    ("language", "claims"), [("fa", "بزرگ‌زاده ۱ بار (مچش ۱ بار گرفته شد)"), ("en", "duke once (caught once)")]
)
def test_each_email_with_a_question_tells_who_claimed_what_how_often_and_who_was_caught(
    language: str, claims: str, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    sepideh.language = language
    sepideh.save()
    game = begin([maryam, sepideh, bahareh])
    play(game, "1 tax", "2 challenge", "1 concede duke")
    write_due(NOON + timedelta(hours=1))
    mail = message(Notification.objects.filter(account=sepideh, reason="question").latest("key"))
    for text in (str(mail.body), str(mail.alternatives[0].content)):
        plain_text = " ".join("".join(character for character in text if character not in "\u2066\u2068\u2069").split())
        assert f"Maryam: {claims}" in re.sub("<[^>]*>", "", plain_text)
