"""The games of ``examples/games`` keep the contract, and work by API, page and mail without other changes."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages.pofile import read_po
from django.test import Client
from django.utils import timezone
from msgspec.structs import replace

from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.archive import game_audit, ratings
from games.engine import AnyRules, Outcome, RuleViolation, SeatNumber, SeededChance, replay
from games.kit.checking import check
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game
from games.models import Move as StoredMove
from games.play import bots
from games.play.resolve import resolve
from games.rules.registry import RULES
from notifications.email.message import message
from notifications.models import Notification
from tests.cast import program, signed_in
from tests.catalogues import compiled
from tests.examples import for_each
from tests.games.rules.sedlec.reader import PlainReader
from tests.third_game.table import LATER, create_fist, fresh, play, state

FOLDER: Final = Path(__file__).parents[3] / "examples" / "games"
LONGEST: Final = 400
LONGEST_WITH_PERSIAN: Final = 350
"""The most lines of Cockroach Poker and its Persian, without blank ones."""

sys.path += [str(FOLDER / name) for name in ("cockroach_poker", "liars_dice", "two_houses")]
from darbar_cockroach_poker import RULES as ROACHES  # noqa: E402
from darbar_cockroach_poker import game as roaches  # noqa: E402
from darbar_liars_dice import RULES as DICE  # noqa: E402 - these packages are not installed here
from darbar_liars_dice import game as dice  # noqa: E402
from darbar_two_houses import RULES as HOUSES  # noqa: E402
from darbar_two_houses import game as houses  # noqa: E402


def catalogue(rules: AnyRules) -> Path:
    """The compiled Persian catalogue of an outside game."""
    name = rules.name.replace("-", "_")
    return FOLDER / name / f"darbar_{name}" / "locale" / "fa" / "LC_MESSAGES" / "django.mo"


@pytest.mark.parametrize("rules", [DICE, HOUSES, ROACHES], ids=lambda rules: rules.name)
def test_outside_games_keep_the_contract_in_both_languages(rules: AnyRules) -> None:
    check(rules, 12, [catalogue(rules)])


@pytest.mark.parametrize("rules", [DICE, HOUSES, ROACHES], ids=lambda rules: rules.name)
def test_the_example_games_are_small_and_their_catalogues_are_compiled(rules: AnyRules) -> None:
    compiled_catalogue = catalogue(rules)
    assert sum(len(file.read_text().splitlines()) for file in compiled_catalogue.parents[3].glob("*.py")) < LONGEST
    with compiled_catalogue.with_suffix(".po").open("rb") as file:
        assert compiled(read_po(file, locale="fa")) == compiled_catalogue.read_bytes()


def test_a_whole_game_with_words_persian_and_a_bot_fits_into_350_lines() -> None:
    files = [*catalogue(ROACHES).parents[3].glob("*.py"), catalogue(ROACHES).with_suffix(".po")]
    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    assert len(lines) <= LONGEST_WITH_PERSIAN


def after_claims(*claims: str, card: str = "fly") -> Any:
    """Cockroach Poker after seat 1 gave a card to seat 2, who passed it on to seat 3 for a second claim."""
    hands = ((card, "toad"), ("rat", "rat"), ("bat", "bat"))
    stand: Any = replay(ROACHES, [roaches.Dealt(hands=hands, starter=SeatNumber(1))])
    stand = played(stand, 1, f"give {card} 2 {claims[0]}")
    for claim in claims[1:]:
        stand = played(played(stand, 2, "look"), 2, f"pass 3 {claim}")
    return stand


def played(stand: Any, seat: int, text: str) -> Any:
    """Cockroach Poker after the answer of a seat."""
    (question,) = ROACHES.questions(stand)
    assert question.seat == seat
    move = ROACHES.parse(stand, question, text, {})
    return replay(ROACHES, ROACHES.decide(stand, SeatNumber(seat), move, SeededChance(bytes(32))), stand)


@for_each(
    "claims, guess, loser",
    [
        (["fly"], "true", 1),
        (["fly"], "false", 2),
        (["bat"], "true", 2),
        (["bat"], "false", 1),
        (["bat", "fly"], "true", 2),
        (["bat", "toad"], "true", 3),
    ],
)
def test_who_is_wrong_about_a_card_keeps_it_and_is_next(claims: list[str], guess: str, loser: int) -> None:
    stand = after_claims(*claims)
    after = played(stand, len(claims) + 1, guess)
    assert after.piles[loser - 1] == ("fly",)
    assert [question.seat for question in ROACHES.questions(after)] == [loser]


def test_a_card_is_known_to_its_giver_and_to_who_has_looked_at_it() -> None:
    stand = after_claims("bat", "toad")
    assert [ROACHES.view(stand, SeatNumber(seat)).card for seat in (0, 1, 2, 3)] == [None, "fly", "fly", None]
    (question,) = ROACHES.questions(stand)
    with pytest.raises(RuleViolation, match="You can answer: true, false"):  # everyone else has seen it
        ROACHES.parse(stand, question, "look", {})


def test_the_default_board_of_the_cards_needs_no_line_that_counts_them() -> None:
    stand = replace(after_claims("fly"), piles=((), ("bat", "fly"), ()))
    names = {SeatNumber(1): "Maryam", SeatNumber(2): "Kaveh", SeatNumber(3): "Omid"}
    drawing = ROACHES.picture(ROACHES.view(stand, SeatNumber(1)), PlainReader(names, False, 1))
    assert drawing is not None
    assert "Face up" in drawing
    assert "Face up:" not in drawing


def test_four_cards_of_a_kind_lose_and_all_others_win() -> None:
    stand = after_claims("fly")
    stand = replace(stand, piles=((), ("fly",) * 3, ("bat",)))
    assert played(stand, 2, "true").winners is None
    assert played(stand, 2, "false").winners == (1, 3)


def test_a_bid_that_is_not_believed_costs_whoever_was_wrong_a_die() -> None:
    begun = (dice.SetUp(options=dice.Options(), seats=2), dice.Rolled(dice=((1, 3, 3), (2, 5, 6)), turn=SeatNumber(1)))
    stand: Any = replay(DICE, begun)
    for bid, number, loser in (((3, 3), 3, 2), ((3, 2), 2, 1)):
        (question,) = DICE.questions(stand)
        raised = DICE.decide(stand, question.seat, dice.Bid(*bid, question=question.id), SeededChance(bytes(32)))
        after = replay(DICE, raised, stand)
        (doubting,) = DICE.questions(after)
        call, *_ = DICE.decide(after, doubting.seat, dice.Liar(question=doubting.id), SeededChance(bytes(32)))
        assert (call.found, call.loser) == (number, loser)


def test_two_numbers_of_a_move_keep_their_order() -> None:
    begun = DICE.setup(DICE.options(), 2, SeededChance(bytes(32)))
    stand: Any = replay(DICE, begun)
    (question,) = DICE.questions(stand)
    for text in ("Bid 1 3.", "ادعا ۱ ۳", "bid 1 3"):
        assert DICE.parse(stand, question, text, {}) == dice.Bid(1, 3, question=question.id)
    assert DICE.parse(stand, question, "BID 3 1", {}) == dice.Bid(3, 1, question=question.id)


@pytest.mark.django_db
def test_an_outside_game_is_played_with_a_bot_by_page_and_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "liars-dice", DICE)
    maryam = Account.objects.create_user("maryam@example.org", name="Maryam")
    game = create_fist(maryam, rules="liars-dice", bots=1, options={"dice": 1})
    client = Client()
    client.force_login(maryam, backend="django.contrib.auth.backends.ModelBackend")
    while game.state == Game.State.RUNNING:
        bots.sweep(LATER)
        if own_question := fresh(game).open_questions.filter(seat=1).first():
            write_due(LATER)
            text = message(Notification.objects.filter(reason="question", state="ready").latest("pk")).body
            moves = DICE.legal_moves(state(game), DICE.questions(state(game))[0])
            assert "\n  1. " in text
            assert client.get(f"/games/{game.pk}/").status_code == 200
            play(game, 1, str(moves[-1]), question=own_question.question)
        game = fresh(game)
    assert isinstance(DICE.outcome(state(game)), Outcome)
    assert game_audit.find_faults(game) == []


@pytest.mark.django_db
def test_a_picture_without_the_numbers_of_the_answers_has_nothing_to_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "liars-dice", DICE)
    maryam = Account.objects.create_user("maryam@example.org", name="Maryam")
    game = create_fist(maryam, rules="liars-dice", bots=1, now=timezone.now())
    bots.sweep(timezone.now())
    page = signed_in(maryam).get(f"/games/{game.pk}/").content.decode()
    assert page.count('data-places="count-') > 4
    assert "Tap a place on the board" not in page


def bid(stand: Any, seat: int, coins: int) -> Any:
    """Two Houses after a seat has bid."""
    move = houses.Bid(
        coins, question=next(question.id for question in HOUSES.questions(stand) if question.seat == seat)
    )
    return replay(HOUSES, HOUSES.decide(stand, SeatNumber(seat), move, SeededChance(bytes(32))), stand)


def test_a_house_bids_with_all_its_players_and_equal_bids_let_the_caravan_wait() -> None:
    stand: Any = replay(HOUSES, HOUSES.setup(HOUSES.options(), 4, SeededChance(bytes(32))))
    first = stand.worth
    for seat, coins in ((1, 5), (2, 9), (4, 0), (3, 4)):
        stand = bid(stand, seat, coins)
    assert (stand.points, stand.coins) == ((0, 0), (25, 21, 26, 30))
    both = stand.worth
    assert both > first
    for seat, coins in ((4, 3), (3, 0), (2, 0), (1, 2)):
        stand = bid(stand, seat, coins)
    assert stand.points == (0, both)


@pytest.mark.parametrize("text", ["bid 31", "bid -1", "bid", "bid 1 2", "31", "bid 1.5"])
def test_a_bid_that_nobody_can_pay_is_refused_with_the_least_and_the_most(text: str) -> None:
    stand: Any = replay(HOUSES, HOUSES.setup(HOUSES.options(), 2, SeededChance(bytes(32))))
    with pytest.raises(RuleViolation, match="You can answer: bid 0 to 30") as refused:
        HOUSES.parse(stand, HOUSES.questions(stand)[0], text, {})
    assert refused.value.code in ("illegal", "malformed")


@pytest.mark.parametrize("text", ["bid 7", "پیشنهاد ۷", "7", "۷", "Bid 7."])
def test_a_number_that_is_filled_in_is_read_in_both_languages(text: str) -> None:
    stand: Any = replay(HOUSES, HOUSES.setup(HOUSES.options(), 2, SeededChance(bytes(32))))
    assert str(HOUSES.parse(stand, HOUSES.questions(stand)[0], text, {})) == "bid 7"


@pytest.mark.django_db
def test_bids_are_filled_in_by_page_api_and_mail_and_a_team_wins_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "two-houses", HOUSES)
    maryam = Account.objects.create_user("maryam@example.org", name="Maryam")
    game = create_fist(maryam, rules="two-houses", bots=3, options={"caravans": 3}, now=timezone.now())
    browser, api = signed_in(maryam), program(maryam)
    for way, coins in (("page", 4), ("api", 30), ("mail", 0)):
        own_question = game.open_questions.get(seat=1)
        form = api.get(f"/api/v1/games/{game.pk}/questions/").json()["results"][0]["forms"][0]
        assert form["type"] == "two-houses.bid"
        assert (form["slots"][0]["name"], form["slots"][0]["lowest"]) == ("coins", 0)
        most = min(coins, form["slots"][0]["highest"])
        if way == "page":
            assert 'type="number" name="word" min="0" max="30"' in browser.get(f"/games/{game.pk}/").content.decode()
            browser.post(
                f"/games/{game.pk}/answer/", {"question": own_question.question, "begins": "bid", "word": most}
            )
        elif way == "api":
            sent = {"question": own_question.question, "move": {"type": form["type"], "coins": most}}
            api.post(f"/api/v1/games/{game.pk}/moves/", sent, content_type="application/json")
            resolve(game.pk, timezone.now())
        else:
            write_due(timezone.now())
            body = message(Notification.objects.filter(reason="question", state="ready").latest("pk")).body
            assert "Coins: a number from 0 to" in body
            assert "Reply with your move, for example “bid " in body
            assert "Reply with the number" not in body
            raw = f"From: maryam@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nbid {most}\r\n"
            address = links.question_address(game.pk, own_question.question, maryam.pk)
            receive(raw.encode(), maryam.email, [address], timezone.now())
            mail_tasks.read_due(timezone.now())
        played = StoredMove.objects.get(game=game, question=own_question.question, state="applied")
        assert json.loads(played.body)["coins"] == most
        bots.sweep(timezone.now())
    over = fresh(game)
    assert over.state == Game.State.OVER
    assert game_audit.find_faults(over) == []
    ratings.count_all(over.ended_at)
    places = {result.seat: (result.won, result.place, result.team, result.score) for result in over.results.all()}
    assert places[1] == places[3]
    assert places[2] == places[4]
    assert {places[1][2], places[2][2]} == {1, 2}
    ended = api.get(f"/api/v1/games/{game.pk}/statistics/").json()
    assert [result["team"] for result in ended["results"]] == [1, 2, 1, 2]
    assert {count["name"] for count in ended["counts"]} == {"coins-in-vain"}
    assert "coins bid in vain" in browser.get(f"/games/{game.pk}/").content.decode()
