"""A game that draws no picture: its default board on pages, in emails, in the replay and on its card, in two worlds."""

import io

import pytest
from django.utils import timezone
from msgspec.structs import replace
from PIL import Image

from accounts.models import Account
from games.announcements.notify import write_due
from games.engine.rules import AnyRules
from games.models import Game
from games.rules.registry import RULES
from games.visibility.picture import style_address
from notifications.models import Notification
from tests.cast import program
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_cards import card_image, card_of
from tests.games.pages.test_two_worlds import constant, visible_pages
from tests.games.unseen import world
from tests.third_game import fist
from tests.third_game.table import create_fist, play, with_fist

__all__ = ["with_fist"]
pytestmark = pytest.mark.django_db


def dealt(*numbers: int) -> AnyRules:
    """Fist in which these numbers are dealt."""
    rules: AnyRules = replace(
        fist.RULES, setup=lambda options, seats, chance: (fist.Dealt(options=options, numbers=numbers[:seats]),)
    )
    return rules


def html_of(account: Account, path: str) -> str:
    """Return the page at this path."""
    visitor = Visitor(account)
    visitor.go(path)
    return visitor.answer.content.decode()


def faces(html: str) -> list[str]:
    """The places of the picture on a page whose card shows its face."""
    drawing = html.partition("<svg")[2].partition("</svg>")[0]
    places = drawing.split('<g data-place="')[1:]
    return [place.partition('"')[0] for place in places if "bd-face" in place]


def test_the_page_shows_the_own_number_and_backs_for_the_others(
    kaveh: Account, dariush: Account, sepideh: Account
) -> None:
    game = create_fist(kaveh, dariush, now=timezone.now())
    for account, places in ((kaveh, ["seat-1"]), (dariush, ["seat-2"]), (sepideh, [])):
        html = html_of(account, f"/games/{game.pk}/")
        assert f'href="{style_address(fist.RULES)}"' in html
        assert faces(html) == places
    style = Visitor().client.get(style_address(fist.RULES))
    assert ".bd-face" in style.content.decode()


def test_the_same_drawing_is_in_the_api_in_the_email_in_the_replay_and_on_the_card(
    kaveh: Account, sepideh: Account
) -> None:
    now = timezone.now()
    game = create_fist(kaveh, sepideh, now=now)
    write_due(now)
    (picture,) = Notification.objects.get(account=kaveh, reason="question", state="ready").content().pictures
    assert Image.open(io.BytesIO(picture.png)).width == 640
    assert "bd-own" in program(kaveh).get(f"/api/v1/games/{game.pk}/picture.svg").content.decode()
    card_image(card_of(f"/games/{game.pk}/"))
    play(game, 1, "claim 3")
    play(game, 2, "doubt")
    assert faces(html_of(kaveh, f"/games/{game.pk}/replay/?step=1&as=1")) == ["seat-1"]
    assert faces(html_of(kaveh, f"/games/{game.pk}/replay/?step=1")) == ["seat-2", "seat-1"]


@pytest.mark.parametrize("moves", [(), ("1 claim 3",), ("1 claim 3", "2 allow")])
def test_the_numbers_of_others_show_on_no_page_email_or_card(
    kaveh: Account,
    dariush: Account,
    sepideh: Account,
    maryam: Account,
    moves: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worlds = []
    now = timezone.now()
    for numbers in ((3, 1, 2), (3, 6, 5)):
        monkeypatch.setitem(RULES, "fist", dealt(*numbers))
        with world():
            game = create_fist(kaveh, dariush, sepideh, now=now)
            Game.objects.filter(pk=game.pk).update(code="abcdefghjkmn")
            game.refresh_from_db()
            for move in moves:
                play(game, int(move[0]), move[2:], now)
            pages = [page for account in (kaveh, maryam, None) for page in visible_pages(account, game)]
            drawing = program(kaveh).get(f"/api/v1/games/{game.pk}/picture.svg").content
            write_due(now)
            emails = Notification.objects.filter(account=kaveh, state="ready").order_by("pk")
            pictures = [picture.png for email in emails for picture in email.content().pictures]
            worlds.append((pages, drawing, pictures, card_image(card_of(f"/games/{game.pk}/"))))
    assert worlds[0] == worlds[1]


def test_an_answer_in_an_open_window_shows_on_no_board_of_others(
    kaveh: Account, dariush: Account, sepideh: Account
) -> None:
    game = create_fist(kaveh, dariush, sepideh, now=timezone.now())
    play(game, 1, "claim 3")
    boards = []
    for hidden in ("", "2 allow", "3 allow"):
        with world():
            if hidden:
                play(game, int(hidden[0]), hidden[2:])
            page = constant(html_of(kaveh, f"/games/{game.pk}/"), game)
            boards.append((page, program(kaveh).get(f"/api/v1/games/{game.pk}/picture.svg").content))
    assert boards[1:] == [boards[0]] * 2
