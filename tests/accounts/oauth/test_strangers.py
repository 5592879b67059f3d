"""Strangers' OAuth clients, authlib and requests-oauthlib, get tokens with every kind of client authentication."""

from typing import Any, Final

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from django.test import Client as Browser
from requests.adapters import BaseAdapter
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from accounts.models import Account
from tests.accounts.oauth.app import BACK, answer_page, app_of, browser_of

SERVER: Final = "https://localhost"
TOKEN: Final = f"{SERVER}/oauth/token"
REVOKE: Final = f"{SERVER}/oauth/revoke"
SCOPE: Final = "games:read games:play"
VERIFIER: Final = "bahareh-keeps-a-verifier-that-is-long-enough-for-pkce"
KINDS: Final = [("client_secret_basic", True), ("client_secret_post", True), ("none", False)]


def answered(method: str, url: str, body: Any, headers: Any) -> Any:
    """The server's answer to a request that came over the network of a library."""
    path = url.removeprefix(SERVER)
    other_headers = {
        name: value for name, value in headers.items() if name.lower() not in ("content-length", "content-type")
    }
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    return Browser().generic(method, path, body or b"", content_type=kind, headers=other_headers)


class Adapter(BaseAdapter):
    """A network that leads to the server of this test."""

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:  # type: ignore[override]
        served = answered(str(request.method), str(request.url), request.body, request.headers)
        answer = requests.Response()
        answer.status_code, answer._content, answer.url = served.status_code, served.content, str(request.url)
        answer.headers.update(dict(served.headers))
        answer.request = request
        return answer

    def close(self) -> None:
        """Do nothing: no connection is open."""


def agreed(person: Account, address: str) -> str:
    """Return the redirect address for an account that agrees."""
    browser = browser_of(person)
    page = browser.get(address.removeprefix(SERVER))
    assert page.status_code == 200, page.content
    return str(answer_page(browser, page).headers["Location"])


@pytest.mark.parametrize(("kind", "confidential"), KINDS)
def test_authlib_gets_refreshes_and_revokes(kind: str, confidential: bool, maryam: Account, kaveh: Account) -> None:
    for _ in range(4):  # secrets are random, and every one of them must do
        app = app_of(kaveh, *SCOPE.split(), confidential=confidential)
        client = AuthlibSession(
            app.id,
            app.secret or None,
            token_endpoint_auth_method=kind,
            scope=SCOPE,
            redirect_uri=BACK,
            code_challenge_method="S256",
        )
        client.mount("https://", Adapter())
        address, _ = client.create_authorization_url(f"{SERVER}/oauth/authorize", code_verifier=VERIFIER)
        back = agreed(maryam, address)
        token = client.fetch_token(TOKEN, authorization_response=back, code_verifier=VERIFIER)
        assert set(token["scope"].split()) == set(SCOPE.split())
        assert client.get(f"{SERVER}/api/v1/games/").status_code == 200
        newer = client.refresh_token(TOKEN, refresh_token=token["refresh_token"])
        assert newer["access_token"] != token["access_token"]
        assert client.revoke_token(REVOKE, token=newer["access_token"]).status_code == 200
        assert client.get(f"{SERVER}/api/v1/games/").status_code == 401


@pytest.mark.parametrize(("kind", "confidential"), KINDS)
def test_requests_oauthlib_gets_and_refreshes(kind: str, confidential: bool, maryam: Account, kaveh: Account) -> None:
    for _ in range(4):
        app = app_of(kaveh, *SCOPE.split(), confidential=confidential)
        session = OAuth2Session(app.id, redirect_uri=BACK, scope=SCOPE.split(), pkce="S256")
        session.mount("https://", Adapter())
        address, _ = session.authorization_url(f"{SERVER}/oauth/authorize")
        who: dict[str, Any] = {"include_client_id": True, **({"client_secret": app.secret} if confidential else {})}
        if kind == "client_secret_basic":
            who = {"auth": HTTPBasicAuth(app.id, app.secret)}
        token = session.fetch_token(TOKEN, authorization_response=agreed(maryam, address), **who)
        assert set(token["scope"]) == set(SCOPE.split())
        assert session.get(f"{SERVER}/api/v1/games/").status_code == 200
        parameters = {"client_id": app.id, **({"client_secret": app.secret} if confidential else {})}
        again = {"auth": who["auth"]} if "auth" in who else parameters
        assert session.refresh_token(TOKEN, **again)["access_token"] != token["access_token"]
