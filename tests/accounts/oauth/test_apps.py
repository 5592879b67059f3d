"""Making an app known, and taking back what an app was allowed."""

from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import quote_plus

import pytest
import time_machine
from allauth.idp.oidc.models import Client, Token
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts import tokens
from accounts.models import Account, SpentCode
from accounts.tasks import delete_expired
from tests.accounts.oauth.app import BACK, App, acting, app_of, code_for, tokens_for
from tests.examples import for_each
from tests.games.api.conftest import client

APPS = "/api/v1/me/apps/"
GRANTS = "/api/v1/me/grants/"
WANTED: dict[str, Any] = {"name": "Corner table", "redirect_uris": [BACK], "scopes": ["games:play", "games:read"]}


def test_a_developer_makes_an_app_known_and_it_works(kaveh: Account, maryam: Account) -> None:
    answer = client(kaveh).post(APPS, WANTED, format="json")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    data = answer.json()
    assert (data["type"], data["client_secret"], data["scopes"]) == ("public", None, ["games:read", "games:play"])
    app = App(data["client_id"], scopes=tuple(data["scopes"]))
    assert acting(tokens_for(app, maryam)["access_token"]).get("/api/v1/games/").status_code == 200
    (listed,) = client(kaveh).get(APPS).json()["results"]
    assert listed == {name: value for name, value in data.items() if name != "client_secret"}
    assert client(maryam).get(APPS).json()["results"] == []


def test_the_secret_of_an_app_is_shown_once(kaveh: Account, maryam: Account) -> None:
    data = client(kaveh).post(APPS, {**WANTED, "type": "confidential"}, format="json").json()
    assert data["client_secret"]
    assert data["client_secret"] not in client(kaveh).get(APPS).content.decode()
    app = App(data["client_id"], data["client_secret"], tuple(data["scopes"]))
    assert app.exchange(code_for(app, maryam)).status_code == 200


def test_a_secret_needs_no_escaping_so_that_every_client_sends_the_same(kaveh: Account) -> None:
    for _ in range(20):
        app = client(kaveh).post(APPS, {**WANTED, "type": "confidential"}, format="json").json()
        assert quote_plus(app["client_secret"]) == app["client_secret"]
        assert client(kaveh).delete(f"{APPS}{app['client_id']}/").status_code == 204


@pytest.mark.parametrize(
    "uri",
    [
        "https://bot.example/back",
        "https://bot.example:8443/back?a=b",
        "http://127.0.0.1/back",
        "http://localhost:8080/",
        "http://[::1]/back",
        "com.example.bot:/back",
    ],
)
def test_people_may_be_sent_to_the_app_alone(kaveh: Account, uri: str) -> None:
    assert client(kaveh).post(APPS, {**WANTED, "redirect_uris": [uri]}, format="json").status_code == 201


@for_each(
    "uri",
    [
        "http://bot.example/back",
        "https://bot.example/back#part",
        "https://maryam@bot.example/back",
        "https://bot.example\\@evil.example/",
        "https://*.example/back",
        "https:///back",
        "https://bot.example:port/",
        "https://bot.example/ب",
        "https://bot.example/a b",
        "https://bot.example/;x",
        "javascript:alert(1)",
        "data:text/html,x",
        "bot:/back",
        "com.example.bot:back",
        "com.example.bot://host/back",
        "//bot.example/back",
        "/back",
        "",
        "x" * 501,
        "https://bot.example/\nback",
    ],
    undone=True,
)
def test_an_address_that_is_not_the_apps_alone_is_refused(kaveh: Account, uri: str) -> None:
    answer = client(kaveh).post(APPS, {**WANTED, "redirect_uris": [uri]}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "#/redirect_uris/0"
    assert not Client.objects.exists()


@for_each(
    "field, value",
    [
        ("name", ""),
        ("name", "..."),
        ("name", "x" * 61),
        ("name", "Cor\u202ener"),
        ("name", "Darbar’s own"),
        ("name", "Dаrbаr Helper"),
        ("name", "Ｄａｒｂａｒ"),
        ("name", "دربار"),
        ("redirect_uris", []),
        ("redirect_uris", [BACK] * 11),
        ("scopes", []),
        ("scopes", ["openid"]),
        ("type", "native"),
        ("owner", 1),
        ("skip_consent", True),
        ("grant_types", ["client_credentials"]),
        ("allow_uri_wildcards", True),
        ("secret", "mine"),
        ("id", "mine"),
    ],
    undone=True,
)
def test_what_cannot_be_said_of_an_app_is_refused_by_name(kaveh: Account, field: str, value: Any) -> None:
    answer = client(kaveh).post(APPS, {**WANTED, field: value}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"].startswith(f"#/{field}")
    assert not Client.objects.exists()


def test_an_account_makes_twenty_apps_known_at_most(kaveh: Account) -> None:
    for _ in range(tokens.MOST_APPS):
        app_of(kaveh)
    answer = client(kaveh).post(APPS, WANTED, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "limit-reached")


def test_deleting_an_app_ends_its_tokens(app: App, kaveh: Account, maryam: Account) -> None:
    program = acting(tokens_for(app, maryam)["access_token"])
    assert client(maryam).delete(f"{APPS}{app.id}/").status_code == 404
    assert program.get("/api/v1/me/").status_code == 200
    assert client(kaveh).delete(f"{APPS}{app.id}/").status_code == 204
    assert program.get("/api/v1/me/").status_code == 401


def test_whoever_allowed_an_app_something_sees_it_and_takes_it_back(app: App, maryam: Account, kaveh: Account) -> None:
    tokens = tokens_for(app, maryam, ["games:read"])
    (grant,) = client(maryam).get(GRANTS).json()["results"]
    assert grant["app"] == {"client_id": app.id, "name": "Corner table", "owner": "Kaveh", "is_verified": True}
    assert grant["scopes"] == ["games:read"]
    assert grant["expires_at"] > grant["renewed_at"]
    assert client(kaveh).get(GRANTS).json()["results"] == []
    assert client(kaveh).delete(f"{GRANTS}{app.id}/").status_code == 404
    assert client(maryam).delete(f"{GRANTS}{app.id}/").status_code == 204
    assert acting(tokens["access_token"]).get("/api/v1/games/").status_code == 401
    assert app.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert client(maryam).get(GRANTS).json()["results"] == []
    assert client(maryam).delete(f"{GRANTS}{app.id}/").status_code == 404


def test_taking_back_from_one_app_leaves_the_others(app: App, maryam: Account) -> None:
    other = app_of(None)
    other_tokens = tokens_for(other, maryam)
    tokens_for(app, maryam)
    client(maryam).delete(f"{GRANTS}{app.id}/")
    assert [grant["app"]["owner"] for grant in client(maryam).get(GRANTS).json()["results"]] == [None]
    assert acting(other_tokens["access_token"]).get("/api/v1/games/").status_code == 200


def test_all_tokens_of_a_grant_draw_on_a_third_of_the_accounts_allowance(
    app: App, maryam: Account, settings: Any
) -> None:
    settings.REQUESTS_PER_ACCOUNT = 12
    first = tokens_for(app, maryam)
    second = app.refresh(first["refresh_token"]).json()
    programs = [acting(tokens["access_token"]) for tokens in (first, second)]
    assert [program.get("/api/v1/me/").status_code for program in programs * 3] == [200] * 4 + [429] * 2


def test_the_operator_makes_an_app_known_with_a_command(maryam: Account) -> None:
    output = StringIO()
    call_command("register_app", "Table clock", BACK, "--scope", "games:read", "--confidential", stdout=output)
    lines = dict(line.split(": ", 1) for line in output.getvalue().splitlines())
    app = App(lines["client_id"], lines["client_secret"].split(" ")[0], ("games:read",))
    assert Client.objects.get().owner is None
    assert app.exchange(code_for(app, maryam)).json()["scope"] == "games:read"
    with pytest.raises(CommandError, match="Write an address"):
        call_command("register_app", "Table clock", "http://evil.example/")


def test_of_an_apps_tokens_for_somebody_the_latest_are_kept(
    app: App, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MOST_TOKENS", 2)
    first, second, third = (tokens_for(app, maryam) for _ in range(3))
    assert Token.objects.filter(user=maryam).count() == 4
    statuses = [acting(pair["access_token"]).get("/api/v1/me/").status_code for pair in (first, second, third)]
    assert statuses == [401, 200, 200]
    assert app.refresh(third["refresh_token"]).status_code == 200


def test_what_ended_long_ago_is_forgotten(app: App, maryam: Account) -> None:
    first = tokens_for(app, maryam)
    app.refresh(first["refresh_token"])
    delete_expired()
    assert (SpentCode.objects.count(), Token.objects.count()) == (2, 3)
    with time_machine.travel(timezone.now() + timedelta(days=90, minutes=30)):
        delete_expired()
        assert (SpentCode.objects.count(), Token.objects.count()) == (0, 3)
    with time_machine.travel(timezone.now() + timedelta(days=181)):
        delete_expired()
        assert not Token.objects.exists()
