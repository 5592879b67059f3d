"""The lesson: from the first page to a bluff that is caught and survived, without an account and without scripts."""

from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.rules.registry import RULES
from tests.games.pages.at_home import Visitor, writing

pytestmark = pytest.mark.django_db
COUP = "/learn/coup/"
LABELS = {
    "en": [
        "Collect tax with the duke",
        "Prove it",
        "Challenge the claim",
        "Block with the duke",
        "Concede and lose the captain",
    ],
    "fa": [
        *("جمع‌آوری مالیات با ادعای بزرگ‌زاده", "اثبات ادعا", "به چالش کشیدن ادعا", "مقابله با ادعای بزرگ‌زاده"),
        "اعتراف و از دست دادن فرمانده",
    ],
}
START = {"en": "Play a game", "fa": "شروع بازی کامل"}


def press(visitor: Visitor, label: str) -> None:
    """The button whose words begin like this, as a browser without scripts presses it."""
    html = visitor.answer.content.decode()
    button = next(part for part in html.split("<button ") if label in part.partition("</button>")[0])
    number = button.partition('value="')[2].partition('"')[0]
    fields = next(form["fields"] for form in visitor.page.forms if "action" not in form or form["action"] == "")
    visitor.go(f"{COUP}?{urlencode({**fields, 'answer': number})}")


@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_visitor_goes_from_the_first_page_through_five_moves_to_a_game(language: str) -> None:
    visitor = Visitor(language=language)
    assert COUP in [link.get("href") for link in visitor.go("/").all("a")]
    visitor.go(COUP)
    for label in LABELS[language]:
        press(visitor, label)
    assert START[language] in visitor.page.text
    visitor.send("/try/", rules="coup")
    assert visitor.path == f"/games/{Game.objects.get().pk}/"


def test_another_move_leads_nowhere_and_says_which_one_to_choose() -> None:
    visitor = Visitor()
    visitor.go(COUP)
    press(visitor, "Take income")
    assert "In a real game you could do that. Here, choose “Collect tax with the duke: 3 coins”." in visitor.page.text
    assert "Move 1 of 5" in visitor.page.text
    press(visitor, "Collect tax")
    assert "Move 2 of 5" in visitor.page.text


@pytest.mark.parametrize(
    "query",
    ["moves=income", "moves=tax,allow", "moves=%00", "moves=" + "tax," * 500, "moves=tax,prove,challenge,block+duke,x"],
)
def test_an_address_that_no_step_leads_to_leads_to_the_beginning(query: str) -> None:
    visitor = Visitor()
    visitor.go(f"{COUP}?{query}")
    assert visitor.path == COUP


@pytest.mark.parametrize("answer", ["0", "99", "-1", "x", "²", "9" * 5000])
def test_an_answer_that_is_not_offered_is_none(answer: str) -> None:
    visitor = Visitor()
    visitor.go(f"{COUP}?{urlencode({'answer': answer})}")
    assert "In a real game you could do that" not in visitor.page.text
    assert "Move 1 of 5" in visitor.page.text


def test_a_lesson_stores_nothing() -> None:
    with CaptureQueriesContext(connection) as queries:
        visitor = Visitor()
        visitor.go(f"{COUP}?moves=tax,prove&answer=2")
    assert writing(queries) == []
    assert not Game.objects.exists()


def test_the_lesson_of_sedlec_is_taken_from_its_goal_to_a_game() -> None:
    visitor = Visitor()
    assert "Build a pyramid of skulls" in visitor.go("/learn/sedlec/").text
    moves = [step.takes[0] for step in RULES["sedlec"].lesson.steps]
    page = visitor.go(f"/learn/sedlec/?{urlencode({'moves': ','.join(moves)})}")
    assert START["en"] in page.text
    assert "2 bots play with you" in page.text
    visitor.send("/try/", rules="sedlec")
    assert (Game.objects.get().rules, Game.objects.get().bot_count) == ("sedlec", 2)


def test_rules_that_are_not_there_have_no_lesson() -> None:
    Visitor().go("/learn/nothing/", status=404)
