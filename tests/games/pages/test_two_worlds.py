"""Pages in two worlds that a reader must not tell apart: text, title, picture, answers and counts are the same."""

import re
from itertools import count
from typing import Final

import pytest

from accounts.models import Account
from games import clubs, links
from games.engine import SeatNumber
from games.models import Club, Game, Seek, Tournament
from games.tables.practice import create_practice
from tests.cast import program
from tests.games.pages.at_home import Visitor
from tests.games.seated import NOON, begin, play
from tests.games.tournaments.tournament_cast import LEAGUE, create_cup, set_in
from tests.games.unseen import RANDOM, world

pytestmark = pytest.mark.django_db
_CHANGING: Final = re.compile(
    r'(csrfmiddlewaretoken" value="|data-csrf="|data-digest="|data-closed-push="|last-event-id=)[^"]+|'
    r"\d\d:\d\d(:\d\d)?|\d+ (hours?|minutes?)"
)
"""The parts of a page that differ from one visit to the next: tokens of forms, times, tags of pushes, which are made of
random ids, and digests of the parts that contain them."""
HANDS: Final = (
    ["contessa", "duke", "captain", "assassin", "ambassador", "duke"],
    ["contessa", "duke", "contessa", "contessa", "assassin", "captain"],
)
"""Maryam holds the same cards in both, the others do not."""


@pytest.fixture
def club(kaveh: Account) -> Club:
    """A club in which Kaveh looks on."""
    return clubs.create_club(kaveh, "Thursday liars", "", NOON).club


def visible_pages(account: Account | None, game: Game, *more: str) -> list[str]:
    """The pages of a game, the lists of games and the arena, without what changes by itself; None is a visitor.

    The page of the game also as an open page asks for it again, and where a replay is asked for too early.
    """
    visitor = Visitor(account)
    pages = []
    address = f"/games/{game.pk}/"
    lists = ("/", "/games/?state=all", "/arena/")
    for path in (address, f"{address}?story=whole", f"{address}plans/", f"{address}replay/", *lists, *more):
        visitor.go(path)
        pages.append(constant(visitor.answer.content.decode(), game))
    for path in (address, "/"):
        again = visitor.client.get(path, headers={"X-Live": "chat=x"})
        pages.append(constant(again.content.decode(), game))
    return pages


def standings_by_api(account: Account, cup: Tournament, game: Game) -> list[str]:
    """Return the API's standings of a tournament and of the arena that a game belongs to."""
    client, here = program(account), f"/api/v1/tournaments/{cup.pk}/"
    answers = [client.get(f"{here}{part}").content.decode() for part in ("", "rounds/", "standings/")]
    answers.append(client.get("/api/v1/arena/").content.decode())
    return [answer.replace(str(game.pk), "ID") for answer in answers]


def set_in_arena(account: Account, game: Game) -> None:
    """Let a game be one of the arena, and a player of it stand there."""
    fields = {"rules": game.rules, "least": 2, "most": 3, "speed": "live", "games_at_once": 1}
    Seek.objects.create(account=account, created_at=NOON, until=NOON, look_at=NOON, **fields)
    Game.objects.filter(pk=game.pk).update(arena=True)


def constant(html: str, game: Game) -> str:
    """A page without what differs between two visits or two games."""
    return _CHANGING.sub("x", RANDOM.sub("x", html.replace(game.code[:4].upper(), "CODE").replace(game.code, "CODE")))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "moves", [("1 tax", "2 allow", "3 allow", "2 steal 1"), (), ("1 tax",), ("1 income", "2 foreign-aid")]
)
def test_the_hands_of_others_show_on_no_page(
    maryam: Account, sepideh: Account, bahareh: Account, kaveh: Account, club: Club, moves: tuple[str, ...]
) -> None:
    worlds = []
    cup = create_cup(kaveh, [maryam, sepideh, bahareh])
    for hands in HANDS:
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            Game.objects.filter(pk=game.pk).update(code="abcdefghjkmn")
            game.refresh_from_db()
            play(game, *moves)
            set_in(cup, game)
            set_in_arena(sepideh, game)
            worlds.append(
                [visible_pages(account, game, f"/tournaments/{cup.pk}/") for account in (maryam, kaveh, None)]
            )
            worlds[-1].append(standings_by_api(kaveh, cup, game))
            Game.objects.filter(pk=game.pk).update(private=True, club=club)
            worlds[-1].append(visible_pages(kaveh, game, f"/clubs/{club.pk}/"))
    assert worlds[0] == worlds[1]


def test_the_hands_of_others_show_on_no_page_that_a_link_in_an_email_opens(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    worlds = []
    for hands in HANDS:
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            play(game, "1 tax", "2 allow", "3 allow", "2 steal 1")
            path = links.question_page(game.id, game.open_questions.get(seat=1).question, maryam.pk)
            page = Visitor().client.get(path).content.decode()
            assert "data-place" in page
            worlds.append(constant(re.sub("/answer/[^/]+/", "LINK", page), game))
    assert worlds == [worlds[0]] * len(HANDS)


def test_the_odds_in_a_first_game_follow_from_what_its_player_sees(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    odds = []
    for hands in HANDS:
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            play(game, "1 tax", "2 allow", "3 allow", "2 steal 1")
            odds += re.findall(r"in about (\d+) of 100 deals", Visitor(maryam).go(f"/games/{game.pk}/").text)
    assert odds == [odds[0]] * len(HANDS)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("answers", ["sealed", "first"])
def test_an_answer_in_an_open_window_shows_on_no_page_of_others(
    maryam: Account, sepideh: Account, bahareh: Account, kaveh: Account, club: Club, answers: str
) -> None:
    game = begin([maryam, sepideh, bahareh], HANDS[0], waiting="hidden", answers=answers)
    play(game, "1 tax")
    cup = create_cup(kaveh, [maryam, sepideh, bahareh], **LEAGUE)
    set_in(cup, game)
    set_in_arena(sepideh, game)
    worlds = []
    for hidden in (None, "2 allow", "3 allow"):
        with world():
            if hidden:
                play(game, hidden)
            worlds.append(
                [visible_pages(account, game, f"/tournaments/{cup.pk}/") for account in (maryam, kaveh, None)]
            )
            worlds[-1].append(standings_by_api(kaveh, cup, game))
            Game.objects.filter(pk=game.pk).update(private=True, club=club)
            worlds[-1].append(visible_pages(kaveh, game, f"/clubs/{club.pk}/"))
    assert worlds[1:] == [worlds[0]] * 2


@pytest.mark.parametrize(("eyes", "alike"), [("1", True), ("spectator", True), ("2", False)])
def test_a_replay_by_somebodys_eyes_shows_no_more_than_they_saw(
    maryam: Account, sepideh: Account, bahareh: Account, eyes: str, alike: bool
) -> None:
    worlds = []
    for hands in HANDS:
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            play(game, "1 tax", "2 allow", "3 allow", "2 income", "3 resign yes", "1 resign yes")
            visitor = Visitor()
            steps = count(1)
            pages = []
            while "Bahareh resigned" not in visitor.go(f"/games/{game.pk}/replay/?step={next(steps)}&as={eyes}").text:
                pages.append(constant(visitor.answer.content.decode(), game))
            worlds.append(pages)
    assert len(worlds[0]) > 3
    assert (worlds[0] == worlds[1]) == alike


@pytest.mark.parametrize(("seat", "alike"), [(1, True), (2, False)])
def test_a_practice_game_shows_its_player_no_more_than_their_seat_knows(
    maryam: Account, sepideh: Account, bahareh: Account, kaveh: Account, seat: int, alike: bool
) -> None:
    worlds = []
    for hands in HANDS:
        with world():
            source = begin([maryam, sepideh, bahareh], hands)
            moments = {}
            for decider, move in ((1, "1 income"), (2, "2 tax"), (3, "3 resign yes"), (1, "1 resign yes")):
                moments.setdefault(decider, Game.objects.get(pk=source.pk).version)
                play(source, move)
            again = create_practice(
                Game.objects.get(pk=source.pk), moments[seat], SeatNumber(seat), kaveh, "page", NOON
            )
            visitor = Visitor(kaveh)
            pages = []
            for path in ("", "?story=whole", "plans/", "replay/"):
                visitor.go(f"/games/{again.pk}/{path}")
                pages.append(constant(visitor.answer.content.decode(), Game.objects.get(pk=again.pk)))
            worlds.append(pages)
    assert (worlds[0] == worlds[1]) == alike
