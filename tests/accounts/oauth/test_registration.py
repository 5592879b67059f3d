"""Tests of apps that register themselves (RFC 7591), and of what an attacker tries with that."""

import json
from datetime import timedelta
from typing import Any

import pytest
from allauth.idp.oidc.models import Client
from django.test import Client as Browser
from django.utils import timezone

from accounts.models import Account
from accounts.tasks import delete_expired
from accounts.tokens import NewApp, register_app
from config.core import clock
from tests.accounts.oauth.app import BACK as ADDRESS
from tests.accounts.oauth.app import App, acting, app_of, browser_of, code_for, tokens_for
from tests.examples import for_each

REGISTER = "/oauth/register"
METADATA: dict[str, Any] = {"client_name": "Corner table", "redirect_uris": [ADDRESS]}
OPERATOR = "Tea house"


@pytest.fixture(autouse=True)
def allowed(settings: Any) -> None:
    settings.APPS_REGISTER_THEMSELVES = True
    register_app(NewApp(OPERATOR, [ADDRESS], ["games:read"]), None)


def registered(body: Any = METADATA, address: str = "127.0.0.1") -> Any:
    """The answer to an app that asks to be registered."""
    text = body if isinstance(body, (str, bytes)) else json.dumps(body)
    browser = Browser(enforce_csrf_checks=True, REMOTE_ADDR=address)
    return browser.post(REGISTER, text, content_type="application/json")


def own_app(**changes: Any) -> App:
    answer = registered({**METADATA, **changes})
    assert answer.status_code == 201, answer.content
    return App(answer.json()["client_id"], scopes=tuple(answer.json()["scope"].split()))


def test_an_app_registers_itself_and_gets_no_secret() -> None:
    answer = registered({**METADATA, "scope": "games:play games:read", "software_id": "ignored"})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    client = Client.objects.get(id=answer.json()["client_id"])
    assert answer.json() == {
        "client_id": client.id,
        "client_id_issued_at": int(client.created_at.timestamp()),
        "client_name": "Corner table",
        "redirect_uris": [ADDRESS],
        "scope": "games:read games:play",
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    }
    assert (client.type, client.secret, client.owner) == (Client.Type.PUBLIC, "", None)


def test_no_app_registers_itself_where_the_operator_does_not_allow_it(settings: Any) -> None:
    metadata = "/.well-known/oauth-authorization-server"
    assert Browser().get(metadata).json()["registration_endpoint"].endswith(REGISTER)
    settings.APPS_REGISTER_THEMSELVES = False
    assert "registration_endpoint" not in Browser().get(metadata).json()
    assert registered().status_code == 404
    assert Client.objects.count() == 1


@for_each(
    "address",
    [
        *("http://corner.example/back", "javascript:alert(1)", "data:text/html,hello", "file:///etc/passwd"),
        *("https://*.corner.example/back", "https://corner.example/*", "https://corner.example/back#part"),
        *(
            "https://darbar.example@corner.example/",
            "https://corner.example/?code=1",
            "https:///back",
            "//corner.example/",
        ),
        *("com.example.corner:/back", "http://127.0.0.1.corner.example/", "http://localhost@corner.example/", ""),
        *("https://corner.example/\nhttps://other.example/", "https://corner.example/ https://other.example/"),
        *(
            "HTTP://corner.example/",
            "https://corner.example\\@other.example/",
            "https://پ.example/",
            " javascript:alert(1)",
        ),
        "https://corner.example/" + "a" * 500,
    ],
)
def test_no_address_leads_elsewhere_than_to_https_or_the_own_machine(address: str) -> None:
    answer = registered({**METADATA, "redirect_uris": [ADDRESS, address]})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")
    assert answer.content.isascii()
    assert Client.objects.count() == 1


def test_addresses_of_the_own_machine_are_taken() -> None:
    addresses = ["http://127.0.0.1/back", "http://[::1]:8000/back", "http://localhost:3000/back"]
    assert registered({**METADATA, "redirect_uris": addresses}).json()["redirect_uris"] == addresses


@for_each(
    "name",
    [
        *("Darbar", "Dаrbar", "D a r b a r", "دربار", "Official Darbar app", "Admin", "moderator", "Support"),
        *("", " ", "\u202eelbat", "Corner\u200b\u2063", "corner.example", "Call +49 30 123456", "a" * 41),
        *("tax", "12", OPERATOR, "Теа hоusе", "TEA  HOUSE", "\x00Corner", "b" + "\u0301" * 9),
    ],
)
def test_a_name_misleads_nobody(name: str) -> None:
    answer = registered({**METADATA, "client_name": name})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata"), answer.content
    assert Client.objects.count() == 1


@for_each(
    "changes",
    [
        {"token_endpoint_auth_method": "client_secret_basic"},
        {"token_endpoint_auth_method": "client_secret_post"},
        {"token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://corner.example/keys"},
        {"client_secret": "my own secret"},
        {"grant_types": ["client_credentials"]},
        {"grant_types": ["authorization_code", "client_credentials"]},
        {"grant_types": ["implicit"]},
        {"grant_types": []},
        {"response_types": ["token"]},
        {"response_types": ["code", "token"]},
        {"scope": "account"},
        {"scope": "games:read webhooks"},
        {"scope": "openid"},
        {"scope": ""},
        {"scope": ["games:read"]},
        {"scope": "games:read account"},
        {"redirect_uris": ADDRESS},
        {"redirect_uris": [1]},
        {"client_name": None},
        {"client_name": {"en": "Corner table"}},
    ],
)
def test_no_app_gets_a_secret_another_flow_or_more_rights(changes: dict[str, Any]) -> None:
    answer = registered({**METADATA, **changes})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata"), answer.content
    assert Client.objects.count() == 1


@for_each("count", [0, 11])
def test_an_app_has_one_to_ten_addresses(count: int) -> None:
    answer = registered({**METADATA, "redirect_uris": [ADDRESS] * count})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")


@for_each(
    "body",
    [
        *("", "null", "[]", '"app"', "{", b"\xff\xfe", "[" * 8000, '{"client_name":' * 500, "{}"),
        json.dumps({**METADATA, "logo_uri": "x" * 9000}),
        json.dumps({**METADATA, "x": "y" * 3_000_000}),
        json.dumps({"redirect_uris": [ADDRESS]}),
    ],
)
def test_a_body_that_is_no_metadata_or_huge_is_refused(body: Any) -> None:
    answer = registered(body)
    assert answer.status_code in (400, 413), answer.content
    assert Client.objects.count() == 1


def test_a_form_registers_nothing() -> None:
    assert Browser().post(REGISTER, METADATA).status_code == 400
    assert Browser().get(REGISTER).status_code == 405
    assert Client.objects.count() == 1


def test_a_network_registers_ten_apps_in_a_day_and_those_around_it_forty() -> None:
    def answers(count: int, address: str) -> list[int]:
        return [registered(address=address).status_code for _ in range(count)]

    assert answers(11, "198.51.100.7") == [201] * 10 + [429]
    refused = registered(address="198.51.100.7")
    assert (refused.json()["error"], int(refused.headers["Retry-After"]) > 60) == ("temporarily_unavailable", True)
    for number in (8, 9, 10):
        assert answers(10, f"198.51.100.{number}") == [201] * 10
    assert answers(1, "198.51.100.11") == [429]
    assert answers(1, "203.0.113.5") == [201]


def test_the_consent_page_calls_the_app_unverified_and_shows_its_host(maryam: Account) -> None:
    page = browser_of(maryam).get("/oauth/authorize", own_app().asks()).content.decode()
    assert "This app is unverified." in page
    assert "corner.example" in page
    assert "by the operator" not in page
    persian = browser_of(maryam).get("/oauth/authorize", own_app().asks(), headers={"Accept-Language": "fa"})
    assert persian.status_code == 200


def test_a_verified_app_is_not_called_unverified(app: App, maryam: Account) -> None:
    assert "unverified" not in browser_of(maryam).get("/oauth/authorize", app.asks()).content.decode()


def test_an_app_that_registered_itself_plays_and_changes_no_account(maryam: Account) -> None:
    tokens = tokens_for(own_app(), maryam)
    program = acting(tokens["access_token"])
    assert program.get("/api/v1/games/").status_code == 200
    assert program.patch("/api/v1/me/", {"name": "Shirin"}, format="json").status_code == 403
    assert program.get("/api/v1/me/webhooks/").status_code == 403
    assert program.get("/api/v1/me/grants/").status_code == 403
    settings = acting(tokens_for(app_of(maryam), maryam)["access_token"])
    grants = settings.get("/api/v1/me/grants/").json()["results"]
    assert {(grant["app"]["owner"], grant["app"]["is_verified"]) for grant in grants} == {
        (None, False),
        ("Maryam", True),
    }


def test_pkce_is_required_and_no_secret_is_taken(maryam: Account) -> None:
    app = own_app()
    back = browser_of(maryam).get("/oauth/authorize", app.asks(code_challenge=None, code_challenge_method=None))
    assert "error=invalid_request" in back.headers["Location"]
    code = code_for(app, maryam)
    assert app.exchange(code, code_verifier=None).status_code == 400
    secretive = App(app.id, secret="guess", scopes=app.scopes)
    assert secretive.exchange(code_for(app, maryam)).status_code in (400, 401)


def test_more_scopes_than_it_registered_are_not_given(maryam: Account) -> None:
    app = own_app(scope="games:read")
    answer = browser_of(maryam).get("/oauth/authorize", app.asks(scope="games:read account"))
    assert answer.status_code in (302, 400)
    assert "code=" not in answer.headers.get("Location", "")


def test_a_registration_ends_after_a_day_unless_it_was_used(maryam: Account, app: App) -> None:
    unused, used, young = own_app(), own_app(), own_app()
    tokens_for(used, maryam)
    long_ago = timezone.now() - timedelta(hours=24, seconds=1)
    Client.objects.exclude(id=young.id).update(created_at=long_ago)
    delete_expired()
    assert not Client.objects.filter(id=unused.id).exists()
    assert Client.objects.filter(id__in=[used.id, young.id, app.id], created_at__lte=clock.now()).count() == 3
    assert Client.objects.filter(name=OPERATOR).exists()
