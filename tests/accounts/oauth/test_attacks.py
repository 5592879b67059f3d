"""Tests of what an app, or a thief of its codes, tries at the endpoints of OAuth."""

import base64
import json
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.idp.oidc.models import Token
from django.test import Client as Browser

from accounts.models import Account
from accounts.tokens import NewApp, register_app
from tests.accounts.oauth.app import (
    BACK,
    FORM,
    VERIFIER,
    App,
    acting,
    answer_page,
    app_of,
    browser_of,
    code_for,
    sent_back,
    tokens_for,
)
from tests.examples import for_each

TOKEN = "/oauth/token"


def exchange_of(app: App, code: str, **changes: Any) -> dict[str, str]:
    """The parameters that exchange a code."""
    parameters = {
        "grant_type": "authorization_code",
        "client_id": app.id,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
    }
    return {**parameters, "code": code, **changes}


def basic(client: str, secret: str) -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(f'{client}:{secret}'.encode()).decode()}"}


def test_a_refresh_token_beside_a_code_does_not_let_the_code_be_used_again(app: App, maryam: Account) -> None:
    code = code_for(app, maryam)
    answers = [app.exchange(code, refresh_token=f"decoy {number}") for number in range(6)]
    assert [answer.status_code for answer in answers] == [200, 400, 400, 400, 400, 400]
    assert not Token.objects.exists(), "the second showing ended the grant"


def test_a_code_beside_a_refresh_token_does_not_let_the_refresh_token_be_used_again(app: App, maryam: Account) -> None:
    token = tokens_for(app, maryam)["refresh_token"]
    answers = [app.refresh(token, code=f"decoy {number}") for number in range(3)]
    assert [answer.status_code for answer in answers] == [200, 400, 400]
    assert not Token.objects.exists()


@pytest.mark.parametrize("part", ["code", "refresh_token", "client_id", "anything"])
def test_parameters_in_the_address_are_refused(app: App, maryam: Account, part: str) -> None:
    parameters = exchange_of(app, code_for(app, maryam))
    moved = parameters.pop(part, "x")
    for _ in range(2):
        answer = app.http.post(f"{TOKEN}?{urlencode({part: moved})}", urlencode(parameters), content_type=FORM)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    revoked = app.http.post("/oauth/revoke?token=x", f"client_id={app.id}&token=y", content_type=FORM)
    assert (revoked.status_code, revoked.json()["error"]) == (400, "invalid_request")
    assert not Token.objects.exists()


@pytest.mark.parametrize("part", ["grant_type", "code", "redirect_uri", "client_id", "code_verifier", "scope"])
def test_a_parameter_that_comes_twice_is_refused(app: App, maryam: Account, part: str) -> None:
    parameters = exchange_of(app, code_for(app, maryam), scope="account")
    body = urlencode([*parameters.items(), (part, parameters[part])])
    answer = app.http.post(TOKEN, body, content_type=FORM)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert not Token.objects.exists()


@pytest.mark.parametrize("part", ["response_type", "client_id", "redirect_uri", "state", "code_challenge",
                                  "code_challenge_method", "scope"])  # fmt: skip
def test_an_app_that_asks_with_a_parameter_twice_is_not_answered(app: App, maryam: Account, part: str) -> None:
    parameters = app.asks()
    for value in (parameters[part], "other"):
        answer = browser_of(maryam).get(f"/oauth/authorize?{urlencode([*parameters.items(), (part, value)])}")
        assert (answer.status_code, "Location" in answer.headers) == (400, False)


@pytest.mark.parametrize("form", ["application/json", "multipart/form-data", "text/plain"])
def test_only_a_form_is_read(app: App, maryam: Account, form: str) -> None:
    parameters = exchange_of(app, code_for(app, maryam))
    if form == "multipart/form-data":
        answer = app.http.post(TOKEN, parameters)
    else:
        body = json.dumps(parameters) if form == "application/json" else urlencode(parameters)
        answer = app.http.post(TOKEN, body, content_type=form)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert not Token.objects.exists()


def test_a_form_with_a_charset_is_read(app: App, maryam: Account) -> None:
    body = urlencode(exchange_of(app, code_for(app, maryam)))
    assert app.http.post(TOKEN, body, content_type=f"{FORM}; charset=UTF-8").status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"code_verifier": "x" * 43},
        {"code_verifier": None},
        {"redirect_uri": f"{BACK}&more=1"},
        {"redirect_uri": None},
        {"resource": "https://evil.example/"},
    ],
)
def test_a_code_that_was_shown_wrongly_is_spent(app: App, maryam: Account, wrong: Any) -> None:
    code = code_for(app, maryam)
    assert app.exchange(code, **wrong).status_code == 400
    answer = app.exchange(code)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert not Token.objects.exists()


def test_a_code_that_was_shown_with_a_wrong_secret_is_spent(kaveh: Account, maryam: Account) -> None:
    app = app_of(kaveh, confidential=True)
    code = code_for(app, maryam)
    assert App(app.id, "not this").exchange(code).json()["error"] == "invalid_client"
    assert app.exchange(code).json()["error"] == "invalid_grant"


def test_a_code_shown_by_another_app_gives_it_nothing(app: App, maryam: Account, kaveh: Account) -> None:
    other = app_of(kaveh, confidential=True)
    code = code_for(app, maryam)
    assert other.exchange(code).json()["error"] == "invalid_grant"
    assert other.exchange(code, client_id=app.id).json()["error"] in ("invalid_client", "invalid_grant")
    assert not Token.objects.exists()


def test_an_app_shows_who_it_is_in_one_way(kaveh: Account, maryam: Account) -> None:
    app, other = app_of(kaveh, confidential=True), app_of(kaveh, confidential=True)
    both = Browser(headers=basic(app.id, app.secret))
    parameters = exchange_of(app, code_for(app, maryam))
    for more in ({"client_secret": app.secret}, {"client_secret": "wrong"}, {"client_id": other.id}):
        answer = both.post(TOKEN, urlencode({**parameters, **more}), content_type=FORM)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert both.post(TOKEN, urlencode(parameters), content_type=FORM).status_code == 200, (
        "none of them reached the code"
    )


@pytest.mark.parametrize("grant", ["openid", "password", "client_credentials", "implicit", "AUTHORIZATION_CODE", "",
                                   "urn:ietf:params:oauth:grant-type:device_code"])  # fmt: skip
def test_there_are_two_grants(app: App, maryam: Account, grant: str) -> None:
    code, token = code_for(app, maryam), tokens_for(app, maryam)["refresh_token"]
    count = Token.objects.count()
    answer = app.exchange(code, grant_type=grant, refresh_token=token)
    assert answer.status_code == 400
    assert answer.json()["error"] == ("unsupported_grant_type" if grant else "invalid_request")
    assert Token.objects.count() == count
    assert app.refresh(token).status_code == 200


@for_each(
    "uri",
    [
        f"{BACK}&more=1",
        f"{BACK}&code=mine",
        f"{BACK}&state=mine",
        "https://corner.example/back?more=1&table=7",
        "https://corner.example/back?table=%37",
        "https://corner.example/back?table=7&table=7",
        f"{BACK}#",
        f"{BACK}#fragment",
        "https://CORNER.example/back?table=7",
        "HTTPS://corner.example/back?table=7",
        "https://corner.example./back?table=7",
        "https://corner.example:443/back?table=7",
        "https://corner.example:/back?table=7",
        "https://kaveh@corner.example/back?table=7",
        "https://corner.example/back;x?table=7",
        "https://corner.example//back?table=7",
        "https://corner.example/BACK?table=7",
        f" {BACK}",
        f"{BACK}\n",
    ],
    undone=True,
)
def test_an_address_is_compared_letter_by_letter(app: App, maryam: Account, uri: str) -> None:
    for visitor in (browser_of(maryam), Browser()):
        answer = visitor.get("/oauth/authorize", app.asks(redirect_uri=uri))
        assert (answer.status_code, "Location" in answer.headers) == (400, False)


def of_program(*addresses: str) -> App:
    return App(register_app(NewApp("A program", addresses, ["games:read"]), None)[0].id, scopes=("games:read",))


@pytest.mark.parametrize(
    ("address", "other_address", "allowed"),
    [
        ("http://127.0.0.1/back", "http://127.0.0.1:51004/back", True),
        ("http://127.0.0.1:80/back", "http://127.0.0.1:51004/back", True),
        ("http://[::1]/back", "http://[::1]:51004/back", True),
        ("http://127.0.0.1/back", "http://127.0.0.1/back", True),
        ("http://127.0.0.1/back", "http://127.0.0.1:51004/back?x=1", False),
        ("http://127.0.0.1/back", "http://127.0.0.1:51004@evil.example/back", False),
        ("http://127.0.0.1/back", "http://127.0.0.1.evil.example/back", False),
        ("http://127.0.0.1/back", "http://127.0.0.1:x/back", False),
        ("http://127.0.0.1/back", "http://[::1]/back", False),
        ("http://localhost/back", "http://localhost:51004/back", False),
        ("https://127.0.0.1/back", "https://127.0.0.1:51004/back", False),
        ("com.example.bot:/http://127.0.0.1:1/", "com.example.bot:/http://127.0.0.1:2/", False),
    ],
)
def test_only_a_program_on_its_own_machine_may_name_another_port(
    maryam: Account, address: str, other_address: str, allowed: bool
) -> None:
    answer = browser_of(maryam).get("/oauth/authorize", of_program(address).asks(redirect_uri=other_address))
    assert answer.status_code == (200 if allowed else 400)


@pytest.mark.parametrize("part", ["code", "state", "error", "iss", "%63ode"])
def test_an_address_that_says_itself_what_we_say_in_it_is_not_made_known(kaveh: Account, part: str) -> None:
    form = {"name": "Corner table", "redirect_uris": [f"https://corner.example/back?{part}=x"], "scopes": ["account"]}
    answer = acting_for(kaveh).post("/api/v1/me/apps/", form, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "redirect-uri")


def acting_for(account: Account) -> Any:
    return acting(tokens_for(app_of(None), account)["access_token"])


def test_a_code_goes_to_an_address_of_before_that_has_a_code_in_it(maryam: Account) -> None:
    """Earlier versions allowed such an address."""
    program = of_program("https://corner.example/back?code=mine")
    browser = browser_of(maryam)
    page = browser.get("/oauth/authorize", program.asks(redirect_uri="https://corner.example/back?code=mine"))
    answer = answer_page(browser, page)
    assert answer.status_code == 302
    code = answer.headers["Location"].rpartition("&code=")[2].partition("&")[0]
    assert program.exchange(code, redirect_uri="https://corner.example/back?code=mine").status_code == 200


def test_what_was_agreed_to_is_not_changed_in_the_address_of_the_form(app: App, maryam: Account) -> None:
    browser = browser_of(maryam)
    page = browser.get("/oauth/authorize", app.asks())
    changes = {"code_challenge_method": "plain", "code_challenge": VERIFIER, "redirect_uri": f"{BACK}&more=1"}
    post = browser.post
    browser.post = partial(_with_query, post, urlencode(changes))  # type: ignore[method-assign]
    assert answer_page(browser, page).status_code == 400


def _with_query(post: Any, query: str, path: str, data: Any) -> Any:
    return post(f"{path}?{query}", data)


def test_a_verifier_is_nothing_where_no_challenge_was(app: App, maryam: Account) -> None:
    result = sent_back(browser_of(maryam).get("/oauth/authorize", app.asks(code_challenge=None)))
    assert "code" not in result


@pytest.mark.parametrize("response_mode", ["token", "none", "code token", "id_token", "code code", "Code", ""])
def test_there_is_one_response(app: App, maryam: Account, response_mode: str) -> None:
    answer = browser_of(maryam).get("/oauth/authorize", app.asks(response_type=response_mode))
    result = sent_back(answer)
    assert result["error"] in ("unsupported_response_type", "unauthorized_client", "invalid_request")
    assert "#" not in answer.headers["Location"]
