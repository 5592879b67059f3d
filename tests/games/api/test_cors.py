"""Programs in browsers: from every page, with a token, never with a cookie."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import Account
from games.models import Game
from tests.contract.keep import stored_schema
from tests.games.api.conftest import client

pytestmark = pytest.mark.django_db
ELSEWHERE = {"Origin": "https://bots.example"}


def test_a_page_from_anywhere_may_ask_before_it_asks(client: Client) -> None:
    answer = client.options(
        "/api/v1/games/",
        headers={
            **ELSEWHERE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,prefer,if-none-match",
        },
    )
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"authorization", "content-type", "idempotency-key", "prefer", "if-none-match", "last-event-id"} <= {
        *allowed
    }
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_page_from_anywhere_may_read_the_answer_and_the_headers_that_a_program_needs(
    game: Game, maryam: Account
) -> None:
    answer = client(maryam).get(f"/api/v1/games/{game.id}/view/", headers=ELSEWHERE)
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    headers = {name.strip() for name in answer.headers["Access-Control-Expose-Headers"].split(",")}
    assert {"Content-Disposition", "X-Request-ID", *stored_schema()["components"]["headers"]} <= headers


def test_refusals_can_be_read_too(client: Client) -> None:
    assert client.get("/api/v1/me/", headers=ELSEWHERE).headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path", ["/healthz", "/mailbox/", "/oauth/authorize"])
def test_pages_are_nobodys_elses_to_read(client: Client, path: str) -> None:
    assert "Access-Control-Allow-Origin" not in client.get(path, headers=ELSEWHERE).headers


def test_a_session_opens_nothing_of_the_api(client: Client, maryam: Account, game: Game) -> None:
    client.force_login(maryam, settings.AUTHENTICATION_BACKENDS[0])
    assert client.get("/api/v1/me/").status_code == 401
    assert client.get(f"/api/v1/games/{game.id}/view/", headers=ELSEWHERE).status_code == 401
    assert client.post("/api/v1/games/", {}, content_type="application/json").status_code == 401
