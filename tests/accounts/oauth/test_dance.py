"""An app gets tokens from a person who agrees: authorization code with PKCE, from end to end over HTTP."""

import base64
import html
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import time_machine
from allauth.idp.oidc.models import Token
from django.db import connection
from django.test import Client as Browser
from django.utils import timezone, translation
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from accounts.tokens import NewApp, issue, register_app
from tests.accounts.oauth.app import (
    BACK,
    App,
    acting,
    answer_page,
    app_of,
    browser_of,
    challenge,
    code_for,
    sent_back,
    tokens_for,
)
from tests.server.darbar import ROOT
from tests.third_game.table import create_fist

ME = "/api/v1/me/"


def test_the_whole_dance(app: App, maryam: Account) -> None:
    browser = browser_of(maryam)
    page = browser.get("/oauth/authorize", app.asks())
    assert page.status_code == 200
    assert "Corner table" in page.content.decode()
    result = sent_back(answer_page(browser, page))
    assert (result["state"], result["iss"], result["table"]) == ("a state", "http://localhost:8000", "7")
    answer = app.exchange(result["code"])
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    tokens = answer.json()
    assert tokens["token_type"] == "Bearer"
    assert tokens["expires_in"] == 3600
    program = acting(tokens["access_token"])
    assert program.get(ME).json()["name"] == "Maryam"
    game = program.post("/api/v1/games/", {"rules": "coup", "seat_count": 2, "bots": [{}]}, format="json")
    assert game.status_code == 201, game.content
    assert program.get("/api/v1/questions/").status_code == 200


def test_who_is_not_signed_in_is_asked_who_they_are_and_comes_back(app: App, maryam: Account) -> None:
    answer = Browser().get("/oauth/authorize", app.asks())
    assert answer.status_code == 302
    login = answer.headers["Location"]
    assert login.startswith("/")
    assert "next=/oauth/authorize%3F" in login
    assert Browser().get("/oauth/authorize", app.asks(prompt="none")).headers["Location"].startswith("/")


def test_an_app_that_keeps_a_secret_shows_it_either_way(kaveh: Account, maryam: Account) -> None:
    app = app_of(kaveh, confidential=True)
    assert app.exchange(code_for(app, maryam)).status_code == 200
    basic = base64.b64encode(f"{app.id}:{app.secret}".encode()).decode()
    code = code_for(app, maryam)
    bare = App(app.id, http=Browser(headers={"Authorization": f"Basic {basic}"}))
    assert bare.exchange(code, client_id=None).status_code == 200
    wrong = App(app.id, "not this", app.scopes).exchange(code_for(app, maryam))
    assert (wrong.status_code, wrong.json()["error"]) == (401, "invalid_client")
    assert App(app.id).exchange(code_for(app, maryam)).json()["error"] == "invalid_client"


def test_the_person_may_allow_less_than_is_asked_for(app: App, maryam: Account) -> None:
    tokens = tokens_for(app, maryam, ["games:read"])
    assert tokens["scope"] == "games:read"
    program = acting(tokens["access_token"])
    assert program.get("/api/v1/games/").status_code == 200
    refused = program.post("/api/v1/games/", {"rules": "fist", "seat_count": 2}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert "games:play" in refused.json()["detail"]
    assert program.get(ME).json().keys() == {"name", "language", "is_bot", "stream"}


def test_an_app_gets_no_scope_that_was_not_made_known_for_it(kaveh: Account, maryam: Account) -> None:
    app = app_of(kaveh, "games:read")
    result = sent_back(browser_of(maryam).get("/oauth/authorize", app.asks(scope="games:read account")))
    assert result["error"] == "invalid_scope"
    page = browser_of(maryam).get("/oauth/authorize", app.asks(scope="openid"))
    assert sent_back(page)["error"] == "invalid_scope"


def test_no_scope_is_added_on_the_page(kaveh: Account, maryam: Account) -> None:
    app = app_of(kaveh)
    browser = browser_of(maryam)
    page = browser.get("/oauth/authorize", app.asks(scope="games:read"))
    again = answer_page(browser, page, scopes=["games:read", "account"])
    assert again.status_code == 200
    assert not Token.objects.exists()


def test_nothing_ticked_is_asked_again(app: App, maryam: Account) -> None:
    browser = browser_of(maryam)
    again = answer_page(browser, browser.get("/oauth/authorize", app.asks()), scopes=[])
    assert (again.status_code, "Corner table" in again.content.decode()) == (200, True)


def test_the_person_may_refuse(app: App, maryam: Account) -> None:
    browser = browser_of(maryam)
    result = sent_back(answer_page(browser, browser.get("/oauth/authorize", app.asks()), action="refuse"))
    assert (result["error"], result["state"], "code" in result) == ("access_denied", "a state", False)
    assert not Token.objects.exists()


def test_another_page_cannot_agree_for_the_person(app: App, maryam: Account) -> None:
    browser = browser_of(maryam)
    page = browser.get("/oauth/authorize", app.asks()).content.decode()
    (request,) = re.findall(r'name="request" value="([^"]+)"', page)
    for text in ("x", html.unescape(request)):
        forged = browser.post("/oauth/authorize", {"request": text, "action": "grant", "scopes": ["account"]})
        assert forged.status_code == 403
    assert not Token.objects.exists()
    assert browser.get("/oauth/authorize", app.asks()).headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uri": "https://evil.example/back"},
        {"redirect_uri": "https://corner.example/back"},
        {"redirect_uri": "http://corner.example/back?table=7"},
        {"redirect_uri": "https://corner.example:8443/back?table=7"},
        {"redirect_uri": "https://corner.example/back/../steal?table=7"},
        {"redirect_uri": None},
        {"client_id": "nobody"},
        {"client_id": None},
        {"client_id": "a\0b"},
        {"redirect_uri": "https://[x/back"},
        {"resource": "not a uri"},
    ],
)
def test_nobody_is_sent_to_an_address_that_is_not_the_apps(app: App, maryam: Account, changes: Any) -> None:
    answer = browser_of(maryam).get("/oauth/authorize", app.asks(**changes))
    assert (answer.status_code, "Location" in answer.headers) == (400, False)


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
        {"code_challenge": "short"},
        {"response_type": "token"},
        {"response_type": "code id_token"},
    ],
)
@pytest.mark.parametrize("confidential", [True, False])
def test_there_is_no_way_without_pkce_and_no_other_flow(
    kaveh: Account, maryam: Account, changes: Any, confidential: bool
) -> None:
    app = app_of(kaveh, confidential=confidential)
    answer = browser_of(maryam).get("/oauth/authorize", app.asks(**changes))
    result = sent_back(answer)
    assert result["error"] in ("invalid_request", "unauthorized_client", "unsupported_response_type")
    assert result["iss"] == "http://localhost:8000"
    assert "code" not in result


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "x" * 43}, "invalid_grant"),
        ({"code_verifier": challenge()}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_request"),
        ({"redirect_uri": "https://evil.example/back"}, "invalid_request"),
        ({"code": "x" * 300}, "invalid_grant"),
        ({"code": "a\0b"}, "invalid_request"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"grant_type": "password", "username": "maryam@example.org", "password": "x"}, None),
        ({"grant_type": "client_credentials"}, None),
        ({"resource": "https://evil.example/"}, "invalid_target"),
    ],
)
def test_a_code_is_worth_nothing_to_others(app: App, maryam: Account, changes: Any, error: str | None) -> None:
    answer = app.exchange(**{"code": code_for(app, maryam), **changes})
    assert answer.status_code in (400, 401)
    assert answer.json()["error"] == error or error is None
    assert not Token.objects.exists()


def test_a_code_of_one_app_is_worth_nothing_to_another(app: App, maryam: Account) -> None:
    other = app_of(None)
    assert other.exchange(code_for(app, maryam)).json()["error"] == "invalid_grant"


def test_a_code_holds_for_a_minute(app: App, maryam: Account) -> None:
    code = code_for(app, maryam)
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert app.exchange(code).json()["error"] == "invalid_grant"


def test_a_code_that_is_shown_twice_ends_what_it_led_to(app: App, maryam: Account) -> None:
    code = code_for(app, maryam)
    tokens = app.exchange(code).json()
    assert acting(tokens["access_token"]).get(ME).status_code == 200
    assert app.exchange(code).json()["error"] == "invalid_grant"
    assert acting(tokens["access_token"]).get(ME).status_code == 401
    assert app.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_refresh_token_holds_once_and_brings_a_new_pair(app: App, maryam: Account) -> None:
    first = tokens_for(app, maryam, ["games:read", "account"])
    second = app.refresh(first["refresh_token"]).json()
    assert {*second["scope"].split()} == {"games:read", "account"}
    assert second["refresh_token"] != first["refresh_token"]
    assert acting(second["access_token"]).get(ME).status_code == 200
    third = app.refresh(second["refresh_token"], scope="games:read").json()
    assert third["scope"] == "games:read"
    wider = app.refresh(third["refresh_token"], scope="games:read games:play")
    assert wider.json()["error"] == "invalid_scope"


def test_a_refresh_token_that_is_shown_twice_ends_the_grant(app: App, maryam: Account) -> None:
    first = tokens_for(app, maryam)
    second = app.refresh(first["refresh_token"]).json()
    assert app.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert acting(second["access_token"]).get(ME).status_code == 401
    assert app.refresh(second["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_refresh_token_is_worth_nothing_to_another_app(app: App, maryam: Account) -> None:
    tokens = tokens_for(app, maryam)
    assert app_of(None).refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert app.refresh(tokens["refresh_token"]).status_code == 200


def test_an_access_token_holds_for_an_hour_and_a_refresh_token_for_ninety_days(app: App, maryam: Account) -> None:
    tokens = tokens_for(app, maryam)
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert acting(tokens["access_token"]).get(ME).status_code == 401
        tokens = app.refresh(tokens["refresh_token"]).json()
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        assert app.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_refresh_token_opens_nothing_by_itself(app: App, maryam: Account) -> None:
    assert acting(tokens_for(app, maryam)["refresh_token"]).get(ME).status_code == 401


def test_an_app_gives_a_token_back(app: App, maryam: Account) -> None:
    tokens = tokens_for(app, maryam)
    assert app.revoke(tokens["access_token"]).status_code == 200
    assert acting(tokens["access_token"]).get(ME).status_code == 401
    tokens = app.refresh(tokens["refresh_token"]).json()
    assert app.revoke(tokens["refresh_token"]).status_code == 200
    assert acting(tokens["access_token"]).get(ME).status_code == 401
    assert app.refresh(tokens["refresh_token"]).status_code == 400
    assert app.revoke("no token at all").status_code == 200


def test_no_app_gives_anothers_tokens_back(app: App, maryam: Account) -> None:
    tokens = tokens_for(app, maryam)
    assert app_of(None).revoke(tokens["refresh_token"]).json()["error"] == "invalid_client"
    assert acting(tokens["access_token"]).get(ME).status_code == 200


def test_a_closed_accounts_tokens_end(app: App, maryam: Account) -> None:
    tokens = tokens_for(app, maryam)
    Account.objects.filter(pk=maryam.pk).update(is_active=False)
    assert acting(tokens["access_token"]).get(ME).status_code == 401
    assert app.refresh(tokens["refresh_token"]).status_code == 400


def test_no_secret_stands_in_any_row_of_the_database(kaveh: Account, maryam: Account) -> None:
    app = app_of(kaveh, confidential=True)
    waiting = code_for(app, maryam)
    spent = code_for(app, maryam)
    first = app.exchange(spent).json()
    second = app.refresh(first["refresh_token"]).json()
    own_token = issue(maryam, "mine", ["chat"])[1]
    secrets = [app.secret, waiting, spent, own_token, own_token[len("darbar_") :]]
    secrets += [tokens[kind] for tokens in (first, second) for kind in ("access_token", "refresh_token")]
    rows = _every_row()
    assert str(maryam.email) in rows
    assert [secret for secret in secrets if secret in rows] == []


def _every_row() -> str:
    """Return the text of every row of every table, with packed values unpacked."""
    texts = []
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            texts += [row for (row,) in cursor.fetchall()]
        cursor.execute("SELECT value FROM cache")
        texts += [base64.b64decode(value).decode("latin-1") for (value,) in cursor.fetchall()]
    return "\n".join(texts)


def test_the_page_speaks_persian_and_says_who_is_behind_the_app(app: App, maryam: Account) -> None:
    maryam.language = "fa"
    maryam.save()
    with translation.override("fa"):
        page = browser_of(maryam).get("/oauth/authorize", app.asks())
    text = page.content.decode()
    assert 'dir="rtl"' in text
    assert "Kaveh" in text
    assert "corner.example" in text
    assert "form-action 'self' https://corner.example;" in f"{page.headers['Content-Security-Policy']};"


def test_the_server_says_where_its_endpoints_are() -> None:
    answer = Browser().get("/.well-known/oauth-authorization-server")
    endpoints = answer.json()
    assert endpoints["issuer"] == "http://localhost:8000"
    assert endpoints["authorization_endpoint"] == "http://localhost:8000/oauth/authorize"
    assert endpoints["code_challenge_methods_supported"] == ["S256"]
    assert endpoints["scopes_supported"] == ["games:read", "games:play", "chat", "account", "webhooks"]
    assert endpoints["grant_types_supported"] == ["authorization_code", "refresh_token"]


def test_a_seat_is_played_by_an_app(app: App, maryam: Account, kaveh: Account, with_fist: None) -> None:
    game = create_fist(maryam, kaveh)
    program = acting(tokens_for(app, maryam, ["games:read", "games:play"])["access_token"])
    (question,) = program.get("/api/v1/questions/").json()["results"]
    data = {"question": question["id"], "move": question["moves"][0]["move"]}
    assert program.post(f"/api/v1/games/{game.id}/moves/", data, format="json").status_code == 202
    assert BACK.startswith("https://")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_app_of_the_documents_gets_and_renews_its_token(
    live_server: LiveServer, settings: Any, maryam: Account, tmp_path: Path
) -> None:
    settings.PUBLIC_URL = live_server.url
    page = (ROOT / "docs/site/en/api/oauth.md").read_text()
    (program,) = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    file = tmp_path / "corner_table.py"
    file.write_text(program)
    client, _ = register_app(NewApp("Corner table", ["http://127.0.0.1/back"], ("games:read", "games:play")), None)
    command = [sys.executable, str(file), live_server.url, client.id]
    environment = {**os.environ, "BROWSER": "true"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            address = running.stdout.readline().removeprefix("Open ").strip()
            browser = browser_of(maryam)
            consent = answer_page(browser, browser.get(address.removeprefix(live_server.url)))
            assert httpx.get(consent.headers["Location"], timeout=10).text == "Done. Close this page."
            output, _ = running.communicate(timeout=60)
        finally:
            running.kill()
    assert output.splitlines() == ["0 open questions", "The next access token is valid for 3600 seconds"]
