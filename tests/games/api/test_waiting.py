"""Waiting for questions: one request instead of many."""

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connections
from django.http import HttpResponse

from accounts.models import Account
from games.api.shared import responses
from games.models import Game
from games.play.resolve import resolve
from tests.games.api.conftest import client
from tests.third_game.table import LATER, create_fist, fresh, play, sent

pytestmark = pytest.mark.django_db(transaction=True)
ALL = "/api/v1/questions/"


def list_questions(
    person: Account, path: str = ALL, wait: int = 0, etag: str = "", **variables: object
) -> HttpResponse:
    headers = {**({"Prefer": f"wait={wait}"} if wait else {}), **({"If-None-Match": etag} if etag else {})}
    answer: HttpResponse = client(person).get(path, headers=headers, **variables)
    return answer


def timed(ask: Callable[[], HttpResponse]) -> tuple[HttpResponse, float]:
    """An answer, and how many seconds it took."""
    began = time.monotonic()
    return ask(), time.monotonic() - began


def meanwhile(act: Callable[[], object]) -> threading.Thread:
    """Make something happen on another connection, a moment later."""

    def later() -> None:
        time.sleep(0.5)
        act()
        connections.close_all()

    thread = threading.Thread(target=later)
    thread.start()
    return thread


def test_what_one_has_already_is_not_sent_again(maryam: Account, game: Game) -> None:
    first = list_questions(maryam)
    assert (first.status_code, len(first.json()["results"])) == (200, 1)
    again = list_questions(maryam, etag=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


def test_something_new_is_told_at_once(maryam: Account, game: Game) -> None:
    answer, seconds = timed(lambda: list_questions(maryam, wait=30))
    assert (answer.status_code, answer["Preference-Applied"], len(answer.json()["results"])) == (200, "wait", 1)
    assert seconds < 25


@pytest.mark.parametrize("everywhere", [True, False])
def test_a_request_waits_until_something_else_is_asked(maryam: Account, game: Game, everywhere: bool) -> None:
    path = ALL if everywhere else f"/api/v1/games/{game.id}/questions/"
    first = list_questions(maryam, path)

    def act() -> None:
        sent(game, 1, "claim 3")
        resolve(game.id, LATER)

    thread = meanwhile(act)
    answer, seconds = timed(lambda: list_questions(maryam, path, wait=30, etag=first["ETag"]))
    thread.join()
    assert answer.status_code == 200
    assert answer.json() != first.json()
    assert 0.4 < seconds < 25


def test_who_is_asked_nothing_waits_for_a_first_question(maryam: Account, bahareh: Account) -> None:
    thread = meanwhile(lambda: create_fist(maryam, bahareh))
    answer, seconds = timed(lambda: list_questions(maryam, wait=30))
    thread.join()
    assert len(answer.json()["results"]) == 1
    assert 0.4 < seconds < 25


def test_when_the_time_is_over_all_is_as_it_was(kaveh: Account) -> None:
    answer, seconds = timed(lambda: list_questions(kaveh, wait=1))
    assert (answer.status_code, answer.json()["results"], answer["Preference-Applied"]) == (200, [], "wait")
    assert seconds > 0.9
    again, seconds = timed(lambda: list_questions(kaveh, wait=1, etag=answer["ETag"]))
    assert (again.status_code, again["Preference-Applied"]) == (304, "wait")
    assert seconds > 0.9


def test_nobody_waits_for_a_question_of_a_game_that_is_over(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh)
    path = f"/api/v1/games/{game.pk}/questions/"
    first = list_questions(bahareh, path)
    thread = meanwhile(lambda: play(game, 1, "resign yes", question=""))
    answer, seconds = timed(lambda: list_questions(bahareh, path, wait=30, etag=first["ETag"]))
    thread.join()
    assert (fresh(game).state, seconds < 25) == (Game.State.OVER, True), answer
    again, seconds = timed(lambda: list_questions(bahareh, path, wait=30))
    assert (again.json()["results"], again["Preference-Applied"], seconds < 25) == ([], "wait", True)


def test_a_request_that_waits_says_so_to_the_web_server(maryam: Account, kaveh: Account, game: Game) -> None:
    calls: list[str] = []

    def begin_to_wait(person: Account, wait: int) -> Callable[[], None]:
        return lambda: calls.append(f"{person.name} {wait}")

    for person, wait in ((maryam, 1), (kaveh, 0), (kaveh, 1)):
        list_questions(person, wait=wait, **{responses.BEGIN_TO_WAIT: begin_to_wait(person, wait)})
    assert calls == [f"{kaveh.name} 1"], "Maryam has a question, and without Prefer nobody waits"


def test_where_too_many_wait_one_is_answered_at_once_and_told_so(
    kaveh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "_SLOTS", threading.BoundedSemaphore(1))
    with responses.waiting_slot() as free:
        assert free
        answer, seconds = timed(lambda: list_questions(kaveh, wait=30))
    assert (answer.status_code, answer.json()["results"]) == (200, [])
    assert "Preference-Applied" not in answer
    assert seconds < 25


def test_waiting_for_a_table_that_one_may_not_see_is_waiting_for_nothing(kaveh: Account, hidden: Game) -> None:
    answer, seconds = timed(lambda: list_questions(kaveh, f"/api/v1/games/{hidden.id}/questions/", wait=30))
    assert answer.status_code == 404
    assert seconds < 25
