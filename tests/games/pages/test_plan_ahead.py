"""Plans on a table's page."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from games.engine import Notation
from games.models import Game, Move, Plan
from games.play import plans
from tests.games.pages.at_home import Visitor
from tests.games.seated import NOON, agree, begin, play

pytestmark = pytest.mark.django_db
DEAL = ["contessa", "contessa", "duke", "ambassador", "captain", "duke"]


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A game of three in which Maryam is to move."""
    return begin([maryam, sepideh, bahareh], DEAL)


def at(account: Account, game: Game) -> Visitor:
    """Return a visitor on the page of their plans."""
    visitor = Visitor(account)
    visitor.go(f"/games/{game.pk}/plans/")
    return visitor


def at_the_table(account: Account, game: Game) -> Visitor:
    """Return a visitor on the page of the game."""
    visitor = Visitor(account)
    visitor.go(f"/games/{game.pk}/")
    return visitor


def offered(visitor: Visitor) -> list[str]:
    """The kinds of plans for which there is a form."""
    return [field["value"] for field in visitor.page.all("input") if field.get("name") == "begins"]


def give(visitor: Visitor, game: Game, *words: str) -> str:
    """Send the form for a plan with its first word and the chosen words, and return the next page.

    The plan is dated back to the beginning of the game, long before this test.
    """
    text = visitor.send("", begins=words[0], word=list(words[1:])).text
    Plan.objects.update(created_at=NOON)
    return text


@pytest.fixture
def visitor(bahareh: Account, game: Game) -> Visitor:
    """Bahareh on the page of her plans."""
    return at(bahareh, game)


def test_every_kind_of_plan_is_put_together_of_words(game: Game, visitor: Visitor) -> None:
    assert offered(visitor) == [
        *("allow all", "allow", "challenge", "block", "if-challenged prove else concede", "if-losing lose"),
        *("if-blocked", "next-turn"),
    ]
    give(visitor, game, "allow all")
    give(visitor, game, "allow", "tax", "2")
    give(visitor, game, "allow", "", "1")
    give(visitor, game, "challenge", "duke", "")
    give(visitor, game, "block", "assassinate contessa", "1", "else allow")
    give(visitor, game, "if-challenged prove else concede", "captain")
    give(visitor, game, "if-blocked", "allow")
    page = give(visitor, game, "next-turn", "steal 2")
    assert "Plan added." in page
    assert notations(visitor) == [
        *("next-turn steal 2", "if-challenged prove else concede captain", "challenge duke"),
        *("block assassinate contessa 1 else allow", "if-blocked allow", "allow tax 2", "allow 1", "allow all"),
    ]


def test_a_plan_that_is_sent_twice_by_one_page_is_given_once(game: Game, visitor: Visitor) -> None:
    page = visitor.page
    give(visitor, game, "next-turn", "tax")
    visitor.page = page
    give(visitor, game, "next-turn", "tax")
    assert notations(visitor) == ["next-turn tax"]
    give(visitor, game, "next-turn", "tax")
    assert notations(visitor) == ["next-turn tax"] * 2, "from another page it is another one"


def notations(visitor: Visitor) -> list[str]:
    """The reader's plans as the fields that change them hold them."""
    fields = [field for field in visitor.page.all("input") if field.get("name") == "text"]
    return [field["value"] for field in fields if field.get("id", "").startswith("plan-text-")]


def test_a_plan_answers_what_is_asked_and_the_page_says_what_it_did(
    bahareh: Account, game: Game, visitor: Visitor
) -> None:
    agree(game, plans="quick")
    give(visitor, game, "allow all")
    play(game, "1 tax")
    assert [move.account for move in Move.objects.filter(plan__isnull=False)] == [bahareh]
    for path in ("", "plans/"):
        visitor.go(f"/games/{game.pk}/{path}")
        assert "It has answered once" in visitor.page.text
        assert "Allow it" in visitor.page.text


def test_a_plan_is_written_and_changed_in_notation(game: Game, visitor: Visitor) -> None:
    visitor.send("", begins=None, word=None, text="Allow MARYAM")
    assert notations(visitor) == ["allow 1"]
    page = visitor.send(f"/games/{game.pk}/plans/change/", text="اگر مقابله چالش")
    assert notations(visitor) == ["if-blocked challenge"]
    assert page.text.count("If my action is blocked: challenge the block.") == 1


def test_the_page_is_in_the_readers_language(sepideh: Account, game: Game) -> None:
    visitor = at(sepideh, game)
    visitor.send("", begins="allow all")
    assert "پیش‌حرکت ثبت شد." in visitor.page.text
    assert notations(visitor) == ["اجازه همه"]


def test_ones_own_cards_stand_first_among_those_to_be_lost(visitor: Visitor) -> None:
    cards = ["ambassador", "assassin", "captain", "contessa", "duke"]
    listed = [option["value"] for option in visitor.page.all("option") if option["value"] in cards]
    own_first = ["captain", "duke", "ambassador", "assassin", "contessa"]
    assert listed == [*cards, *own_first, *own_first], "for a challenge, for a concession and for a loss"


def test_a_plan_is_taken_back(game: Game, visitor: Visitor) -> None:
    give(visitor, game, "if-blocked", "challenge")
    page = visitor.send(f"/games/{game.pk}/plans/withdraw/")
    assert "Plan cancelled." in page.text
    assert not Plan.objects.exists()


def test_a_plan_that_is_done_is_listed_and_cannot_be_taken_back(game: Game, visitor: Visitor) -> None:
    agree(game, plans="quick")
    give(visitor, game, "challenge", "duke", "")
    play(game, "1 tax")
    visitor.send(f"/games/{game.pk}/plans/withdraw/")
    assert "Plan 1 no longer exists." in visitor.page.text
    assert "Carried out" in visitor.page.text
    assert notations(visitor) == []


def test_the_plans_of_another_are_neither_seen_nor_touched(maryam: Account, bahareh: Account, game: Game) -> None:
    give(at(bahareh, game), game, "allow all")
    visitor = at(maryam, game)
    assert not [form for form in visitor.page.forms if form["action"].endswith(("/withdraw/", "/change/"))]
    give(visitor, game, "allow all")
    theirs = Plan.objects.get(account=bahareh)
    for act in ("withdraw", "change"):
        visitor.go(f"/games/{game.pk}/plans/")
        visitor.send(f"/games/{game.pk}/plans/{act}/", status=404, plan=str(theirs.pk))
    assert set(Plan.objects.values_list("body", flat=True)) == {'{"type":"allow-others"}'}


def test_a_page_asks_the_database_nothing_more_where_another_has_planned(
    maryam: Account, bahareh: Account, game: Game
) -> None:
    at_the_table(maryam, game)  # notes that she has seen the question
    with CaptureQueriesContext(connection) as before:
        at_the_table(maryam, game)
    plans.store_plan(game.pk, bahareh, Notation("allow all"), NOON)
    with CaptureQueriesContext(connection) as after:
        at_the_table(maryam, game)
    assert len(after) == len(before)


@pytest.mark.parametrize(
    "wrong", ["", "{", "\0", "7", "fly", "allow", "if-challenged prove", "challenge king", "steal 2"]
)
def test_what_is_no_plan_is_refused(wrong: str, visitor: Visitor) -> None:
    visitor.send("", begins=None, text=wrong)
    assert 'class="error"' in visitor.answer.content.decode()
    assert not Plan.objects.exists()


def test_who_looks_on_is_offered_none(game: Game) -> None:
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    visitor = at(kaveh, game)
    assert visitor.path == f"/games/{game.pk}/"
    assert "Plan ahead" not in visitor.page.text


def test_a_press_of_a_button_asks_only_what_concerns_one_and_another_asks_everything(
    bahareh: Account, game: Game
) -> None:
    visitor = at_the_table(bahareh, game)
    assert "Only ask me when it concerns me" in visitor.page.text
    page = visitor.send(f"/games/{game.pk}/only-aimed/", wanted="1")
    assert "We only ask you what concerns you." in page.text
    assert notations(at(bahareh, game)) == ["allow all"]
    page = visitor.send(f"/games/{game.pk}/only-aimed/", wanted="0")
    assert "We’ll ask you everything again." in page.text
    assert notations(at(bahareh, game)) == []


@pytest.mark.parametrize("seat", [2, 3])
def test_whoever_is_asked_chooses_their_next_turn_too_and_it_is_folded_where_others_are_next(
    sepideh: Account, bahareh: Account, game: Game, seat: int
) -> None:
    play(game, "1 tax")
    account = {2: sepideh, 3: bahareh}[seat]
    for _ in range(3):  # The choice is not on the page in a player's first three games.
        begin([account, None, None], DEAL)
    visitor = at_the_table(account, game)
    assert "then" in {field.get("name") for field in visitor.page.all("select")}
    assert ("Choose your next turn now too" in visitor.page.text) == (seat == 3)
    with time_machine.travel(NOON + timedelta(hours=2), tick=False):
        visitor.send(f"/games/{game.pk}/answer/", answer="1", then="next-turn tax")
    assert notations(at(account, game)) == ["نوبت بعد مالیات" if seat == 2 else "next-turn tax"], "in her language"
    assert Move.objects.get(account=account).state == Move.State.APPLIED


def test_the_page_says_how_soon_plans_answer(maryam: Account, game: Game) -> None:
    late, soon = "after about as long as you usually take", "Darbar makes these moves for you right away."
    page = at(maryam, game).page.text
    assert (late in page, soon in page) == (True, False)
    alone = at(maryam, begin([maryam, None, None], DEAL)).page.text
    assert (late in alone, soon in alone) == (False, True)
