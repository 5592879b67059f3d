"""Replays of finished games: step by step, with links only, as a spectator or as a player saw the game."""

import re
import uuid
from typing import Any

import pytest

from accounts.models import Account
from games.engine.record import load
from games.event_log import log_store
from games.models import Analysis, Game
from games.rules.coup.events import Declared
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.games.pages.test_every_page import sound
from tests.games.seated import NOON, begin, play

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """Maryam, who holds contessa and duke, has won against Sepideh, who resigned after a bluff."""
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 tax", "2 allow", "2 tax", "1 allow", "1 income", "2 resign yes")
    return Game.objects.get(pk=game.pk)


def path(game: Game, **fields: Any) -> str:
    return f"/games/{game.pk}/replay/?" + "&".join(f"{name.rstrip('_')}={value}" for name, value in fields.items())


def steps(visitor: Visitor) -> tuple[int, int]:
    """At which step a page is, and of how many."""
    [slider] = [field for field in visitor.page.all("input") if field.get("type") == "range"]
    assert slider["min"] == "1"
    return int(slider["value"]), int(slider["max"])


@pytest.fixture
def visitor(maryam: Account) -> Visitor:
    return Visitor(maryam)


def test_a_whole_game_is_watched_by_links_alone(game: Game, visitor: Visitor) -> None:
    page = visitor.go(path(game))
    first, last = steps(visitor)
    assert first == 1
    texts = []
    for step in range(1, last + 1):
        assert steps(visitor) == (step, last)
        assert page.all("svg")[0]["aria-label"]
        texts.append(page.text)
        if step < last:
            [after] = [link["href"] for link in page.all("a") if link.get("rel") == "next"]
            page = visitor.go(f"/games/{game.pk}/replay/{after}")
    assert "You’ve won the game." in texts[-1]
    assert "You’ve won the game." not in texts[-2]
    assert not [link for link in page.all("a") if link.get("rel") == "next"]
    [before] = [link["href"] for link in page.all("a") if link.get("rel") == "prev"]
    visitor.go(f"/games/{game.pk}/replay/{before}")
    assert steps(visitor)[0] == last - 1


def test_links_jump_from_one_challenge_or_loss_to_the_next(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 tax", "2 challenge", "1 concede duke", "2 income", "1 income", "2 resign yes")
    visitor, isolates = Visitor(maryam), re.compile("[\u2066-\u2069]")
    page = visitor.go(path(game))
    jumps: list[str] = []
    while following := [link["href"] for link in page.all("a") if link.get("data-jump") == "next"]:
        page = visitor.go(f"/games/{game.pk}/replay/{following[0]}")
        jumps += re.findall(r'aria-current="step">([^<]*)', visitor.answer.content.decode())
    assert [isolates.sub("", line) for line in jumps] == [
        "You claimed the duke to collect tax. سپیده challenged you.",
        "You claimed the duke to collect tax. سپیده challenged you, and you conceded. You lost the duke.",
    ]
    [before] = [link["href"] for link in page.all("a") if link.get("data-jump") == "prev"]
    visitor.go(f"/games/{game.pk}/replay/{before}")
    assert "challenged you." in visitor.page.text


def test_a_game_without_challenges_or_losses_offers_no_jump(game: Game, maryam: Account) -> None:
    assert not [link for link in Visitor(maryam).go(path(game)).all("a") if link.get("data-jump")]


def test_everybody_sees_all_cards_now_and_a_seat_saw_its_own_then(game: Game, visitor: Visitor) -> None:
    visitor.go(path(game, step=6))
    for eyes, cards, hidden in (
        ("", {"contessa", "duke", "captain", "assassin"}, set()),
        ("1", {"contessa", "duke"}, {"captain", "assassin"}),
        ("2", {"captain", "assassin"}, {"contessa"}),
        ("spectator", set(), {"contessa", "captain", "assassin"}),
    ):
        page = visitor.go(path(game, step=6, as_=eyes))
        lines = page.text.partition("The board in words")[2]
        assert {card for card in cards | hidden if card in lines} == cards, eyes
        picture = visitor.answer.content.decode().partition("<svg")[2].partition("</svg>")[0]
        assert {card for card in cards | hidden if f">{card}<" in picture} == cards, eyes


def test_a_replay_begins_when_the_cards_are_dealt(game: Game, maryam: Account) -> None:
    """D17: the first step of a replay shows a table with hands."""
    visitor = Visitor(maryam)
    page = visitor.go(path(game, step=1, as_="1"))
    assert "The game is about to start." not in page.text
    picture = visitor.answer.content.decode().partition("<svg")[2].partition("</svg>")[0]
    assert {card for card in ("contessa", "duke") if f">{card}<" in picture} == {"contessa", "duke"}
    assert "(Hidden from this player)" not in page.text


def test_the_replay_of_a_draft_begins_with_the_five_cards_of_each_player(maryam: Account, sepideh: Account) -> None:
    """Ruling D17: the pages before the draft must not show a game with hands."""
    game = begin([maryam, sepideh])
    play(game, "1 1", "2 1", "1 resign yes")
    page = Visitor(maryam).go(path(game, step=1))
    assert "The game starts with a draft." in page.text
    assert "about to start" not in page.text


def test_only_the_reader_is_called_you(game: Game, visitor: Visitor) -> None:
    for eyes, you in (("1", True), ("2", False), ("spectator", False), ("", False)):
        # At step 2 a bubble with the reader's claim takes the place of the word.
        pages = [visitor.go(path(game, step=step, as_=eyes)) and visitor.answer.content.decode() for step in (4, 6)]
        pictures = [page.partition("<svg")[2].partition("</svg>")[0] for page in pages]
        assert [">you<" in picture for picture in pictures] == [you] * 2, eyes


def test_what_somebody_was_not_told_is_said_to_be_hidden(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh])
    play(game, "1 1", "2 1", "1 resign yes")
    visitor = Visitor(maryam)
    visitor.go(path(game, step=1))
    _first, last = steps(visitor)
    hidden = {
        eyes: [step for step in range(1, last + 1) if "Hidden from" in visitor.go(path(game, step=step, as_=eyes)).text]
        for eyes in ("", "1", "spectator")
    }
    assert hidden[""] == []
    assert 1 not in hidden["spectator"]
    assert len(hidden["spectator"]) > len(hidden["1"])


def test_a_step_that_there_is_not_shows_the_nearest(game: Game, visitor: Visitor) -> None:
    visitor.go(path(game))
    _first, last = steps(visitor)
    for request, line in (("0", 1), ("-3", 1), ("x", 1), ("۳", 1), ("99999", last), ("99999999999", 1)):
        visitor.go(path(game, step=request))
        assert steps(visitor) == (line, last)


@pytest.mark.parametrize("eyes", ["3", "0", "x", "-1", "۱"])
def test_eyes_that_there_are_not_find_nothing(game: Game, maryam: Account, eyes: str) -> None:
    Visitor(maryam).go(path(game, as_=eyes), 404)


def test_a_running_game_is_not_watched_again(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 tax")
    visitor = Visitor(maryam)
    page = visitor.go(path(game))
    assert visitor.path == f"/games/{game.pk}/"
    assert "This game isn’t over yet." in page.text


def test_a_game_whose_rules_are_not_here_any_more_says_so(game: Game, maryam: Account) -> None:
    Game.objects.filter(pk=game.pk).update(rules_version=99)
    Visitor(maryam).go(path(game), 409)


def test_a_private_game_is_to_a_stranger_as_one_that_does_not_exist(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    stranger = Visitor(bahareh)
    stranger.go(path(game))
    Game.objects.filter(pk=game.pk).update(private=True)
    assert stranger.go(path(game), 404).text == stranger.go(f"/games/{uuid.uuid4()}/replay/", 404).text
    Visitor(maryam).go(path(game))


@pytest.mark.parametrize("rules", ["coup", "sedlec"])
def test_every_game_can_be_watched_in_both_languages_at_a_bounded_cost(
    rules: str, maryam: Account, sepideh: Account, django_assert_max_num_queries: Any
) -> None:
    game = opened(maryam, sepideh, rules=rules, seat_count=2)
    for account in (maryam, sepideh):
        leaving = Visitor(account)
        leaving.go(f"/games/{game.pk}/resign/")
        leaving.send()
    for account in (maryam, sepideh):
        visitor = Visitor(account)
        with django_assert_max_num_queries(12):
            page = visitor.go(path(game, step=2))
        sound(page, account.language)
        assert page.all("svg")


def test_the_record_and_what_checks_it_are_at_hand_below_a_game_that_is_over(game: Game, visitor: Visitor) -> None:
    links = [link["href"] for link in visitor.go(path(game)).all("a")]
    [record] = [link for link in links if link.endswith("/record/")]
    assert [name for name in ("verify.html", "verify.py") if not any(name in link for link in links)] == []
    answer = visitor.client.get(record)
    assert answer["Content-Disposition"] == f'attachment; filename="darbar-{game.pk}.json"'
    assert load(answer.content).game == str(game.pk)


def test_the_list_has_all_moves_for_who_sees_all_cards_and_the_past_for_a_seat(game: Game, visitor: Visitor) -> None:
    for eyes, is_whole in (("", True), ("2", False)):
        page = visitor.go(path(game, step=2, as_=eyes))
        assert ("took income" in page.text) == is_whole
        [current] = [link["href"] for link in page.all("a") if link.get("aria-current") == "step"]
        assert current == f"?step=2&as={eyes}"
    page = visitor.go(path(game))
    moves = [re.fullmatch(r"\?step=(\d+)&as=", link.get("href", "")) for link in page.all("a")]
    assert max(int(move[1]) for move in moves if move) == steps(visitor)[1]


def test_chances_are_drawn_for_who_sees_all_cards_alone(game: Game, maryam: Account) -> None:
    for eyes, is_drawn in (("", True), ("1", False), ("spectator", False)):
        assert ("Everyone’s chances" in Visitor(maryam).go(path(game, step=3, as_=eyes)).text) == is_drawn


def test_a_better_move_of_an_analysis_is_beside_its_line_for_who_is_signed_in(game: Game, maryam: Account) -> None:
    [line] = [row.number for row in log_store.read(game) if isinstance(row.event, Declared) and row.event.seat == 2]
    better = {"move": {"text": "Take income: 1 coin"}, "means": [], "share": 0.7, "gain": 0.1, "error": 0.01}
    finding = {"asked": {"text": "?"}, "chosen": {"text": "!"}, "better": better, "guesses": []}
    Analysis.objects.create(
        game=game,
        seat=2,
        asked_at=NOON,
        done_at=NOON,
        decisions=1,
        findings=[{"line": line, "move": {}, "finding": finding}],
    )
    text = Visitor(maryam).go(path(game)).text
    assert text.index("Better for") < text.index("Take income: 1 coin") < text.index("You took income")
    assert "Take income: 1 coin" not in Visitor(maryam).go(path(game, as_="2")).text
    assert "Take income: 1 coin" not in Visitor().go(path(game)).text


def test_what_each_player_knew_is_told_beside_a_moment(game: Game, maryam: Account) -> None:
    text = Visitor(maryam).go(path(game, step=2)).text
    section = text.partition("What each player knew")[2].partition("The board in words")[0]
    assert re.findall("hand: (\\w+, \\w+)", re.sub("[\u2066-\u2069]", "", section)) == [
        "contessa, duke",
        "assassin, captain",
    ]
    assert "What each player knew" not in Visitor(maryam).go(path(game, step=2, as_="2")).text


def test_the_preview_of_a_link_to_a_moment_is_its_picture_which_anybody_may_fetch(game: Game, maryam: Account) -> None:
    def preview(query: str) -> str:
        [image] = [tag["content"] for tag in Visitor().go(query).all("meta") if tag.get("property") == "og:image"]
        return image

    assert f"/cards/games/{game.pk}/en/" in preview(path(game))
    first, third = (preview(path(game, step=step)) for step in (1, 3))
    assert first != third
    assert f"/cards/games/{game.pk}/3/en/" in third
    [picture] = [link["href"] for link in Visitor(maryam).go(path(game, step=3)).all("a") if "download" in link][:1]
    assert third.endswith(picture)
    answer = Visitor().client.get(picture)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert Visitor().client.get(picture.replace("/3/", "/999/")).status_code == 404
    Game.objects.filter(pk=game.pk).update(private=True)
    assert Visitor().client.get(picture).status_code == 404
    assert picture not in str(Visitor(maryam).go(path(game, step=3)).all("a"))


def test_the_picture_of_a_moment_of_a_running_game_is_not_drawn(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    play(game, "1 tax")
    assert Visitor().client.get(f"/cards/games/{game.pk}/1/en/0123456789ab.png").status_code == 404
