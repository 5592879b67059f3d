"""Requirements for every page: access, sound HTML in the reader's language, and the number of queries."""

import itertools
import uuid
from collections import Counter

import pytest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from config.server import problems
from games.models import Game, Move
from tests.examples import for_each
from tests.games.pages.at_home import Page, Visitor, writing
from tests.games.pages.conftest import opened

pytestmark = pytest.mark.django_db
OPEN_TO_ALL = [
    *("/", "/signup/", "/signup/code/", "/login/", "/password/", "/password/code/", "/rules/", "/rules/coup/"),
    *(
        "/rules/sedlec/",
        "/games/",
        "/seeks/",
        "/games/?state=all",
        "/leaders/",
        "/arena/",
        "/privacy/",
        "/tournaments/",
    ),
]
SIGNED_IN = [
    *("/", "/games/", "/games/?state=all", "/games/new/", "/games/new/coup/", "/games/new/sedlec/", "/clubs/"),
    *("/seeks/", "/seeks/new/coup/", "/seeks/new/sedlec/", "/tournaments/", "/tournaments/new/coup/", "/join/"),
    *("/leaders/", "/privacy/", "/settings/", "/settings/emails/", "/settings/calendar/", "/settings/channels/"),
    *("/settings/people/", "/settings/tokens/", "/settings/password/", "/settings/two-factor/", "/settings/webhooks/"),
]
AT_A_TABLE = ["", "?story=whole", "plans/", "leave/", "resign/"]
MOST_QUERIES = 24


def sound(page: Page, language: str) -> None:
    """Check that a page is HTML which a reader of this language can use, in any program."""
    (html,) = page.all("html")
    assert (html["lang"], html["dir"]) == (language, {"en": "ltr", "fa": "rtl"}[language])
    assert page.astray == []
    assert len(page.all("h1")) == len(page.all("main")) == len(page.all("title")) == 1
    ids = Counter(attributes["id"] for _, attributes in page.elements if "id" in attributes)
    assert not [id_ for id_, count in ids.items() if count > 1]
    for name in ("aria-labelledby", "aria-describedby", "for"):
        assert {word for _, attributes in page.elements for word in attributes.get(name, "").split()} <= set(ids), name
    _labelled(page)
    _without_scripts(page)
    levels = [int(tag[1]) for tag, _ in page.elements if tag in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in itertools.pairwise(levels)), levels


def _labelled(page: Page) -> None:
    labels = {label.get("for") for label in page.all("label")}
    for tag in ("input", "select", "textarea"):
        for row in page.all(tag):
            assert row.get("type") == "hidden" or row.get("id") in labels or "aria-label" in row, row
    assert all("alt" in image for image in page.all("img"))
    skip = page.all("a")[0]
    assert skip["href"] == "#content"
    assert "csrfmiddlewaretoken" in str([form for form in page.forms if form["method"] == "post"])
    assert all("csrfmiddlewaretoken" in form["fields"] for form in page.forms if form["method"] == "post")


def _without_scripts(page: Page) -> None:
    for tag, attributes in page.elements:
        assert tag not in ("style", "iframe", "object")
        assert tag != "script" or attributes["src"].startswith("/static/")
        assert not [name for name in attributes if name == "style" or name.startswith("on")], attributes
        assert not attributes.get("href", "").startswith(("javascript:", "data:")), attributes


@for_each("language", ["en", "fa"])
@for_each("path", OPEN_TO_ALL)
def test_a_visitor_reads_it_in_the_language_of_their_browser(path: str, language: str) -> None:
    sound(Visitor(language=language).go(path), language)


@pytest.fixture
def two_tables(maryam: Account, sepideh: Account) -> None:
    opened(maryam, sepideh, seat_count=3, bots=1)
    opened(maryam, seat_count=4)


@for_each("path", SIGNED_IN)
def test_it_is_sound_in_both_languages_for_who_is_signed_in(
    path: str, two_tables: None, maryam: Account, sepideh: Account
) -> None:
    for account in (maryam, sepideh):
        sound(Visitor(account, language="de").go(path), account.language)


@pytest.mark.parametrize("rules", ["coup", "sedlec"])
def test_a_table_is_sound_before_during_and_after_the_game(rules: str, maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, rules=rules, seat_count=3, bots=1)
    for account in (maryam, sepideh):
        for path in ("", "leave/")[: 2 if account == maryam else 1]:
            sound(Visitor(account).go(f"/games/{game.pk}/{path}"), account.language)
    visitor = Visitor(sepideh)
    visitor.go(f"/games/{game.pk}/")
    sound(visitor.send(f"/games/{game.pk}/join/"), "fa")
    for path in AT_A_TABLE:
        sound(visitor.go(f"/games/{game.pk}/{path}"), "fa")
    for account in (sepideh, maryam):
        leaving = Visitor(account)
        leaving.go(f"/games/{game.pk}/resign/")
        leaving.send()
    assert Game.objects.get(pk=game.pk).state == "over"
    sound(visitor.go(f"/games/{game.pk}/"), "fa")


def test_what_is_not_there_is_said_in_the_readers_language(sepideh: Account) -> None:
    sound(Visitor().go("/nothing/", 404), "en")
    sound(Visitor(sepideh).go("/nothing/", 404), "fa")


def test_whoever_is_not_signed_in_is_asked_who_they_are_first(maryam: Account) -> None:
    game = opened(maryam, seat_count=3, private=True)
    private_paths = [path for path in SIGNED_IN if path not in OPEN_TO_ALL]
    for path in [*private_paths, f"/games/{game.pk}/", f"/games/{uuid.uuid4()}/", "/players/Maryam/"]:
        visitor = Visitor()
        visitor.go(path)
        assert visitor.path.startswith("/login/?next=/")


def test_a_private_table_is_to_a_stranger_as_one_that_does_not_exist(maryam: Account, bahareh: Account) -> None:
    game = opened(maryam, seat_count=3, private=True)
    stranger = Visitor(bahareh)
    for path in ("", "leave/", "resign/"):
        hidden = stranger.go(f"/games/{game.pk}/{path}", 404).text
        assert hidden == stranger.go(f"/games/{uuid.uuid4()}/{path}", 404).text
        assert "Maryam" not in hidden
    for path in ("answer/", "chat/", "join/", "start/", "rematch/", "invite/", "leave/", "resign/"):
        stranger.go("/")
        fields = {"csrfmiddlewaretoken": stranger.page.forms[0]["fields"]["csrfmiddlewaretoken"]}
        assert stranger.client.post(f"/games/{game.pk}/{path}", fields).status_code == 404
    assert f"{game.code}" not in stranger.go("/games/?state=all").text


def test_looking_changes_nothing_but_that_a_question_was_seen(maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, sepideh, seat_count=3, bots=1)
    visitor = Visitor(maryam)
    paths = [*SIGNED_IN, *(f"/games/{game.pk}/{path}" for path in AT_A_TABLE)]
    for path in paths:
        for look in (visitor.client.get, visitor.client.head):
            with CaptureQueriesContext(connection) as queries:
                assert look(path).status_code == 200
            assert not [statement for statement in writing(queries) if "SET seen_at" not in statement], path
    for path in ("answer/", "chat/", "join/", "start/", "rematch/", "invite/"):
        assert visitor.client.get(f"/games/{game.pk}/{path}").status_code == 405
    assert visitor.client.get("/play/").status_code == visitor.client.get("/logout/").status_code == 405


def test_a_page_asks_the_database_no_more_for_many_games_than_for_few(maryam: Account, sepideh: Account) -> None:
    visitor, counts = Visitor(maryam), []
    for _ in range(2):
        for _ in range(2):
            opened(maryam, sepideh, seat_count=3, bots=1)
            opened(maryam, seat_count=4)
        counts.append([_queries(visitor, path) for path in ("/", "/games/?state=all")])
    assert counts[0] == counts[1]
    assert max(counts[0]) <= MOST_QUERIES


def test_a_long_game_costs_a_table_no_more_questions_to_the_database(maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, sepideh, seat_count=2)
    path = f"/games/{game.pk}/"
    Visitor(maryam).go(path)  # notes that she has seen the question
    before = _queries(Visitor(maryam), path)
    for account in (maryam, sepideh) * 2:
        visitor = Visitor(account)
        visitor.go(path)
        if any(form["action"].endswith("answer/") for form in visitor.page.forms):
            visitor.send(f"{path}answer/", answer="1")
    assert Move.objects.filter(state="applied").count() >= 2
    assert _queries(Visitor(maryam), path) <= before + 1 <= MOST_QUERIES


def _queries(visitor: Visitor, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        visitor.go(path)
    return len(queries)


@pytest.mark.parametrize(
    ("handler", "status"),
    [("bad_request", 400), ("permission_denied", 403), ("page_not_found", 404), ("server_error", 500)],
)
def test_what_goes_wrong_is_a_page_for_browsers_and_a_problem_for_programs(handler: str, status: int) -> None:
    arguments = [] if handler == "server_error" else [Exception("secret")]
    factory = RequestFactory()
    page = getattr(problems, handler)(factory.get("/games/"), *arguments)
    assert page.status_code == status
    assert page.headers["Content-Type"].startswith("text/html")
    taken_apart = Page(page.content.decode())
    assert len(taken_apart.all("h1")) == 1
    assert taken_apart.astray == []
    assert "secret" not in taken_apart.text
    problem = getattr(problems, handler)(factory.get("/api/v1/games/"), *arguments)
    assert (problem.status_code, problem.headers["Content-Type"]) == (status, "application/problem+json")
