"""The server refuses inputs that its description does not contain, and names them."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import Account
from games.models import Game
from tests.cast import program
from tests.examples import for_each
from tests.games.finished import begun

pytestmark = pytest.mark.django_db


def post(account: Account, path: str, body: bytes | str, **how: Any) -> Any:
    return program(account).post(f"/api/v1/{path}", body, content_type="application/json", **how)


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("seat_count", '{"rules": "coup", "seat_count": "3"}'),
        ("seat_count", '{"rules": "coup", "seat_count": true}'),
        ("private", '{"rules": "coup", "seat_count": 3, "private": "yes"}'),
        ("private", '{"rules": "coup", "seat_count": 3, "private": 1}'),
        ("rules", '{"rules": 0, "seat_count": 3}'),
        ("seed", '{"rules": "coup", "seat_count": 3, "seed": 0}'),
    ],
)
def test_a_value_of_another_type_is_refused_by_the_name_of_its_field(maryam: Account, field: str, body: str) -> None:
    answer = post(maryam, "games/", body)
    assert (answer.status_code, Game.objects.count()) == (400, 0)
    assert [error["pointer"] for error in answer.json()["errors"]] == [f"#/{field}"]


def test_the_text_of_a_move_is_a_string(maryam: Account, bahareh: Account) -> None:
    game = begun([maryam, bahareh])
    assert post(maryam, f"games/{game.id}/moves/", '{"text": 0}').status_code == 400


def test_a_member_that_stands_twice_is_refused(maryam: Account) -> None:
    answer = post(maryam, "games/", '{"rules": "coup", "rules": "sedlec", "seat_count": 3}')
    assert (answer.status_code, Game.objects.count()) == (400, 0)
    assert "rules" in answer.json()["detail"]


def test_numbers_that_json_does_not_know_are_refused(maryam: Account) -> None:
    for number in ("NaN", "Infinity", "-Infinity"):
        assert post(maryam, "games/", f'{{"rules": "coup", "seat_count": {number}}}').status_code == 400


@for_each(
    "body",
    [
        rb'{"rules": "coup", "seat_count": 3, "bots": [{"level": "\ud800"}]}',
        rb'{"rules": "coup", "seat_count": 3, "options": {"starting_player": "\ud800"}}',
        rb'{"rules": "coup", "seat_count": 3, "\ud800": 3}',
        rb'{"rules": "coup", "seat_count": 3, "\ud800": 3, "\ud800": 3}',
        b'{"rules": "coup", "seat_count": 3, "\xed\xa0\x80": 3}',
    ],
)
def test_half_of_a_surrogate_pair_is_refused_everywhere(maryam: Account, body: bytes) -> None:
    assert post(maryam, "games/", body).status_code == 400


def test_a_path_without_its_slash_keeps_method_and_body(maryam: Account) -> None:
    answer = post(maryam, "games", '{"rules": "coup", "seat_count": 3}')
    assert answer.status_code in (308, 404)
    assert Client().get("/api/v1/rules").status_code in (308, 404)
    followed = program(maryam).post(
        "/api/v1/games", '{"rules": "coup", "seat_count": 3}', content_type="application/json", follow=True
    )
    assert followed.status_code == 201


def test_a_body_that_is_too_large_is_413(maryam: Account) -> None:
    answer = post(maryam, "games/", b'{"rules": "' + b"x" * 3_000_000 + b'"}')
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/problem+json")


def test_what_a_token_may_not_do_is_said_as_oauth_says_it(maryam: Account) -> None:
    _, token_text = tokens.issue(maryam, "reader", ["games:read"])
    reader = APIClient(headers={"Authorization": f"Bearer {token_text}"})
    answer = reader.post("/api/v1/games/", {"rules": "coup", "seat_count": 3}, format="json")
    assert answer.status_code == 403
    assert 'error="insufficient_scope"' in answer.headers["WWW-Authenticate"]


def test_a_parameter_that_is_wrong_is_pointed_at(maryam: Account) -> None:
    answer = program(maryam).get("/api/v1/games/?state=lost")
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert error.get("parameter") == "state"


def test_games_and_events_are_asked_for_again_by_their_etag(maryam: Account, bahareh: Account) -> None:
    game = begun([maryam, bahareh])
    begun([maryam, bahareh])
    for path in ("games/?limit=1", f"games/{game.id}/", f"games/{game.id}/events/"):
        first = program(maryam).get(f"/api/v1/{path}")
        again = program(maryam).get(f"/api/v1/{path}", headers={"If-None-Match": first.headers["ETag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b""), path
    leave = program(bahareh).get(f"/api/v1/games/{game.id}/")
    assert leave.headers["ETag"] != program(maryam).get(f"/api/v1/games/{game.id}/").headers["ETag"]


def test_the_size_of_a_page_is_chosen_within_bounds(maryam: Account, bahareh: Account) -> None:
    for _ in range(3):
        begun([maryam, bahareh])
    page = program(maryam).get("/api/v1/games/?limit=2").json()
    assert (len(page["results"]), page["next"] is None) == (2, False)
    assert len(program(maryam).get(page["next"]).json()["results"]) == 1
    for limit in ("0", "201", "many"):
        assert program(maryam).get(f"/api/v1/games/?limit={limit}").status_code == 400


def test_an_answer_in_json_bears_no_headers_of_pages(maryam: Account) -> None:
    answer = program(maryam).get("/api/v1/games/")
    headers = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
    assert len(headers) < 500, headers
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in Client().get("/api/docs/").headers["Permissions-Policy"]
