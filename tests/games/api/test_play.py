"""Playing over HTTP."""

import time
import uuid
from typing import Any

import pytest
from django.core.cache import caches
from django.test import TestCase
from rest_framework.test import APIClient

from accounts.models import Account
from config.core.tasks import TaskNotifier
from games.event_log import log_store
from games.models import Game, Move
from games.play.resolve import resolve
from tests.examples import for_each
from tests.games.api.conftest import client
from tests.third_game.table import LATER, create_fist, fresh, lie, truth

pytestmark = pytest.mark.django_db
WAIT = {"Prefer": "wait=5"}


def path(game: Game, rest: str = "") -> str:
    return f"/api/v1/games/{game.id}/{rest}"


def question(program: APIClient, game: Game) -> dict[str, Any]:
    """The one question that this game asks."""
    (open_question,) = program.get(path(game, "questions/")).json()["results"]
    return open_question


def say(program: APIClient, game: Game, text: str, **headers: str) -> Any:
    """Answer the open question, and wait for the result."""
    data = {"question": question(program, game)["id"], "text": text}
    return program.post(path(game, "moves/"), data, format="json", headers={**WAIT, **headers})


@pytest.fixture(autouse=True)
def in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's clock stands within the time of every question."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that are sent."""
    names: list[str] = []
    monkeypatch.setattr(TaskNotifier, "send_task", lambda _, name, *__, **___: names.append(name))
    return names


def test_a_move_is_accepted_before_it_is_resolved(game: Game, maryam: Account) -> None:
    program = client(maryam)
    data = {"question": question(program, game)["id"], "text": "claim 3"}
    answer = program.post(path(game, "moves/"), data, format="json")
    assert answer.status_code == 202
    assert answer.json()["state"] == "received"
    resolve(game.id, LATER)
    stored = program.get(answer["Location"]).json()
    assert (stored["state"], stored["problem"], stored["move"]) == (
        "applied",
        None,
        {"type": "fist.claim", "number": 3},
    )
    assert [event["event"]["type"] for event in stored["events"]] == ["fist.claimed"]


def test_who_prefers_to_wait_gets_the_outcome(game: Game, maryam: Account) -> None:
    answer = say(client(maryam), game, "claim 3")
    assert answer.status_code == 200
    assert answer["Preference-Applied"] == "wait"
    assert answer.json()["state"] == "applied"


@pytest.mark.parametrize("text", ["claim 3", "resign yes"])
def test_an_outcome_that_was_waited_for_is_the_one_that_can_be_looked_up_later(
    game: Game, maryam: Account, text: str
) -> None:
    program = client(maryam)
    waited = say(program, game, text)
    assert waited.json() == program.get(waited["Location"]).json()


@pytest.mark.parametrize(("wait", "messages"), [({}, 1), (WAIT, 0)])
def test_no_worker_is_sent_a_task_for_a_move_that_is_resolved_at_once(
    game: Game, maryam: Account, sent: list[str], wait: dict[str, str], messages: int
) -> None:
    program = client(maryam)
    data = {"question": question(program, game)["id"], "text": "claim 3"}
    with TestCase.captureOnCommitCallbacks(execute=True):
        program.post(path(game, "moves/"), data, format="json", headers=wait)
    assert sent.count("games.tasks.resolve_moves") == messages


def test_a_move_can_be_json_text_or_a_number(maryam: Account, bahareh: Account) -> None:
    for content in ({"move": {"type": "fist.claim", "number": 3}}, {"text": "CLAIM ۳."}, {"text": "3"}):
        game = create_fist(maryam, bahareh)
        answer = client(maryam).post(path(game, "moves/"), {"question": "1.1", **content}, format="json", headers=WAIT)
        assert answer.json()["move"] == {"type": "fist.claim", "number": 3}, answer.content


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        ({"question": "1.1", "text": "claim 9"}, 422, "illegal"),
        ({"question": "1.1", "move": {"type": "fist.claim", "number": 9}}, 422, "illegal"),
        ({"question": "1.1", "text": "hm"}, 400, "malformed"),
        ({"question": "1.1", "text": "resign"}, 400, "malformed"),
        ({"question": "1.9", "text": "claim 3"}, 409, "question-closed"),
        ({"question": "2.1", "text": "claim 3"}, 409, "question-closed"),
    ],
)
def test_a_refused_move_is_told_apart_by_its_status_and_says_why(
    game: Game, maryam: Account, content: dict[str, Any], status: int, code: str
) -> None:
    program = client(maryam)
    answer = program.post(path(game, "moves/"), content, format="json", headers=WAIT)
    refusal = answer.json()
    stored = refusal["move"]
    assert (answer.status_code, refusal["status"], refusal["code"]) == (status, status, code)
    assert (stored["state"], stored["problem"]["code"], stored["events"]) == ("rejected", code, [])
    assert refusal["detail"] == stored["problem"]["detail"] != ""
    assert program.get(answer["Location"]).json() == stored
    assert program.post(path(game, "moves/"), content, format="json").status_code == 202
    assert fresh(game).version == game.version


@for_each(
    "content, pointer",
    [
        ({}, "#/question"),
        ({"question": "1.1"}, "#/move"),
        ({"question": "1.1", "text": "claim 3", "move": {"type": "fist.doubt"}}, "#/move"),
        ({"question": "1.1", "move": {"type": "fist.fly"}}, "#/move"),
        ({"question": "1.1", "move": {"type": "fist.claim"}}, "#/move"),
        ({"question": "1.1", "move": {"type": "fist.claim", "number": "3"}}, "#/move"),
        ({"question": "1.1", "move": {"type": "fist.claim", "number": 3, "bribe": 1}}, "#/move"),
        ({"question": "1.1", "move": {"type": "fist.claim", "number": 3, "question": "1.1"}}, "#/move"),
        ({"question": "1.1", "move": 7}, "#/move"),
        ({"question": "1.1", "text": "x" * 501}, "#/text"),
        ({"question": "1.1", "text": ""}, "#/text"),
        ({"question": "1" * 21, "text": "claim 3"}, "#/question"),
        ({"question": "1", "text": "claim 3"}, "#/question"),
        ({"question": "0.1", "text": "claim 3"}, "#/question"),
        ({"question": "1.x", "text": "claim 3"}, "#/question"),
        ({"question": "۱.۱", "text": "claim 3"}, "#/question"),
        ({"question": "1.1", "text": "claim 3", "seat": 2}, "#/seat"),
        ({"question": "1.1", "text": "claim 3", "received_at": "2020-01-01T00:00:00Z"}, "#/received_at"),
    ],
    undone=True,
)
def test_a_move_out_of_shape_is_refused_at_the_door(
    game: Game, maryam: Account, content: dict[str, Any], pointer: str
) -> None:
    answer = client(maryam).post(path(game, "moves/"), content, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert pointer in [error["pointer"] for error in answer.json()["errors"]]
    assert not Move.objects.exists()


def test_a_question_that_is_answered_anothers_or_none_gets_the_same_refusal(game: Game, maryam: Account) -> None:
    program = client(maryam)
    assert say(program, game, "claim 3").json()["state"] == "applied"
    assert "2.1" in game.open_questions.values_list("question", flat=True)
    assert program.get(path(game, "questions/")).json()["results"] == []
    answers = [
        program.post(path(game, "moves/"), {"question": number, "text": "claim 3"}, format="json", headers=WAIT)
        for number in ("1.1", "2.1", "1.9", "9.1")
    ]
    assert {answer.status_code for answer in answers} == {409}
    first, *others = ({**answer.json(), "move": None} for answer in answers)
    assert first["code"] == "question-closed"
    assert others == [first] * 3


def test_a_repeat_of_a_refused_move_with_its_key_is_refused_alike(game: Game, maryam: Account) -> None:
    headers = {**WAIT, "Idempotency-Key": "a bold claim"}
    content = {"question": "1.1", "text": "claim 9"}
    first, again = (
        client(maryam).post(path(game, "moves/"), content, format="json", headers=headers) for _ in range(2)
    )
    assert (first.status_code, first.json(), first["Location"]) == (422, again.json(), again["Location"])
    assert (again.status_code, again["Idempotent-Replayed"]) == (422, "true")
    assert Move.objects.count() == 1


def test_a_repeat_with_its_key_gives_the_same_location_and_the_present_state(game: Game, maryam: Account) -> None:
    program, data = client(maryam), {"question": "1.1", "text": "claim 3"}
    key = {"Idempotency-Key": "my-first-move"}
    first = program.post(path(game, "moves/"), data, format="json", headers=key)
    resolve(game.id, LATER)
    again = program.post(path(game, "moves/"), data, format="json", headers=key)
    assert (first.json()["state"], again.json()["state"]) == ("received", "applied")
    assert first["Location"] == again["Location"]
    assert Move.objects.count() == 1
    other = program.post(path(game, "moves/"), {**data, "text": "claim 4"}, format="json", headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "key-reused")


def test_opening_and_joining_happen_once_for_a_key(maryam: Account, bahareh: Account) -> None:
    key = {"Idempotency-Key": "k"}
    new_game = {"rules": "fist", "seat_count": 3}
    first = client(maryam).post("/api/v1/games/", new_game, format="json", headers=key)
    again = client(maryam).post("/api/v1/games/", new_game, format="json", headers=key)
    assert (first.json(), first["Location"]) == (again.json(), again["Location"])
    join = f"{first['Location']}join/"
    assert client(bahareh).post(join, headers=key).json() == client(bahareh).post(join, headers=key).json()
    assert client(bahareh).post(join).status_code == 409


def test_a_key_that_is_none_is_refused(maryam: Account) -> None:
    answer = client(maryam).post(
        "/api/v1/games/", {"rules": "fist", "seat_count": 3}, format="json", headers={"Idempotency-Key": "k" * 201}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_question_comes_with_its_numbered_answers(game: Game, maryam: Account, sepideh: Account) -> None:
    open_question = question(client(maryam), game)
    assert (open_question["id"], open_question["game"], open_question["seat"], open_question["kind"]) == (
        "1.1",
        str(game.id),
        1,
        "turn",
    )
    assert open_question["due_at"] == "2026-03-24T12:00:00Z"
    assert open_question["moves"][2] == {
        "number": 3,
        "text": "claim 3",
        "move": {"type": "fist.claim", "number": 3},
        "label": "claim 3",
    }
    assert client(sepideh).get("/api/v1/questions/").json()["results"] == []


def test_questions_of_all_games_take_few_queries(
    maryam: Account, bahareh: Account, django_assert_max_num_queries: Any
) -> None:
    for _ in range(12):
        create_fist(maryam, bahareh)
    create_fist(maryam, rules="coup", seat_count=3, bots=2)
    program = client(maryam)
    program.get("/api/v1/questions/")  # notes when the token was last used, as once in an hour
    with django_assert_max_num_queries(4):
        rows = program.get("/api/v1/questions/").json()["results"]
    assert len(rows) >= 12


def test_views_differ_by_viewer(game: Game, maryam: Account, bahareh: Account, kaveh: Account) -> None:
    def number(account: Account) -> int | None:
        return client(account).get(path(game, "view/")).json()["number"]

    assert number(maryam) == truth(game, 1)
    assert number(bahareh) == truth(game, 2)
    assert number(kaveh) is None


def test_a_view_is_sent_again_only_when_it_has_changed(game: Game, maryam: Account, kaveh: Account) -> None:
    program = client(maryam)
    first = program.get(path(game, "view/"))
    again = program.get(path(game, "view/"), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    say(program, game, "claim 3")
    changed = program.get(path(game, "view/"), headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_an_answer_that_others_may_not_know_of_changes_nothing_they_are_sent(
    game: Game, maryam: Account, bahareh: Account, sepideh: Account, kaveh: Account
) -> None:
    say(client(maryam), game, f"claim {truth(game, 1)}")

    def everything(account: Account) -> list[bytes]:
        program = client(account)
        caches["questions"].clear()
        return [program.get(path(game, rest)).content for rest in ("", "view/", "events/", "questions/")]

    before = [everything(account) for account in (maryam, sepideh, kaveh)]
    assert say(client(bahareh), game, "allow").json()["state"] == "applied"
    assert [everything(account) for account in (maryam, sepideh, kaveh)] == before


def test_events_are_numbered_for_their_reader(game: Game, maryam: Account, bahareh: Account) -> None:
    say(client(maryam), game, f"claim {truth(game, 1)}")
    say(client(bahareh), game, "allow")
    events = client(bahareh).get(path(game, "events/")).json()["results"]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["event"]["type"] == "fist.allowed"
    rest = client(bahareh).get(path(game, "events/?after=3&limit=2")).json()
    assert rest["results"] == events[3:5]
    following = client(bahareh).get(rest["next"]).json()
    assert (following["results"], following["next"]) == (events[5:7], None if len(events) < 8 else following["next"])
    assert client(bahareh).get(path(game, "events/?after=-1")).status_code == 400
    assert len(client(maryam).get(path(game, "events/")).json()["results"]) == len(events) - 1


def test_resigning_is_a_move(game: Game, maryam: Account, kaveh: Account) -> None:
    answer = client(maryam).post(path(game, "resign/"), headers=WAIT)
    assert (answer.status_code, answer.json()["text"], answer.json()["state"]) == (200, "resign yes", "applied")
    assert fresh(game).state == Game.State.OVER
    events = client(kaveh).get(path(game, "events/")).json()["results"]
    assert len(events) == fresh(game).version


def test_what_a_game_that_has_not_begun_cannot_do_is_a_conflict(maryam: Account) -> None:
    table = create_fist(maryam, seat_count=3)
    program = client(maryam)
    assert program.get(path(table, "view/")).json()["code"] == "conflict"
    data = {"question": "1.1", "text": "claim 3"}
    assert program.post(path(table, "moves/"), data, format="json").json()["code"] == "conflict"
    assert program.get(path(table, "questions/")).json()["results"] == []


def test_a_refusal_is_told_in_the_readers_language(sepideh: Account, bahareh: Account) -> None:
    game = create_fist(sepideh, bahareh)
    answer = client(sepideh).get(path(game, f"moves/{uuid.uuid4()}/"))
    assert answer["Content-Language"] == "fa"
    assert client(bahareh).get(path(game, f"moves/{uuid.uuid4()}/"))["Content-Language"] == "en"


def test_a_game_of_another_version_is_refused_by_name(game: Game, maryam: Account) -> None:
    Game.objects.filter(pk=game.pk).update(rules_version=9)
    answer = client(maryam).get(path(game, "view/"))
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "“fist” in version 9" in answer.json()["detail"]
    assert client(maryam).get("/api/v1/questions/").json()["results"] == []


@pytest.mark.django_db(transaction=True)
def test_who_would_wait_for_a_game_that_is_held_is_answered_in_time(
    maryam: Account, bahareh: Account, lie_in_wait: Any, sent: list[str]
) -> None:
    game = create_fist(maryam, bahareh)
    program = client(maryam)
    sent.clear()
    with lie_in_wait(game):
        begun = time.monotonic()
        data = {"question": "1.1", "text": "claim 3"}
        answer = program.post(path(game, "moves/"), data, format="json", headers={"Prefer": "wait=1"})
        assert 0.5 < time.monotonic() - begun < 25, "the game is held for 30 seconds"
    assert (answer.status_code, answer.json()["state"]) == (202, "received")
    assert sent == ["games.tasks.resolve_moves"], "the worker is to resolve it"
    resolve(game.id, LATER)
    assert program.get(answer["Location"]).json()["state"] == "applied"


def test_others_do_not_learn_how_a_move_came(game: Game, maryam: Account, kaveh: Account) -> None:
    say(client(maryam), game, f"claim {lie(game, 1)}")
    event = client(kaveh).get(path(game, "events/")).json()["results"][-1]
    assert (event["via"], event["seat"], event["move"]) == (None, None, None)
    own_event = client(maryam).get(path(game, "events/")).json()["results"][-1]
    assert (own_event["via"], own_event["seat"]) == ("api", 1)
    assert log_store.read(fresh(game))[-1].move == uuid.UUID(own_event["move"])


@pytest.mark.parametrize("rest", ["", "view/", "events/", "questions/"])
def test_looking_at_a_game_takes_few_queries(
    maryam: Account, bahareh: Account, rest: str, django_assert_max_num_queries: Any
) -> None:
    game = create_fist(maryam, bahareh, rules="coup", seat_count=6, bots=4)
    program = client(maryam)
    program.get("/api/v1/questions/")  # notes when the token was last used, and where, as once in an hour
    with django_assert_max_num_queries(7):
        assert program.get(path(game, rest)).status_code == 200
