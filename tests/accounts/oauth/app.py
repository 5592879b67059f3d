"""A third-party app, and a person at a browser, who dance OAuth 2 over HTTP."""

import base64
import hashlib
import html
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.test import Client as Browser
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.tokens import ALL, NewApp, register_app

FORM = "application/x-www-form-urlencoded"
BACK = "https://corner.example/back?table=7"
VERIFIER = "maryam-tells-nobody-what-she-holds-in-her-two-hands"


def challenge(verifier: str = VERIFIER) -> str:
    """Return the PKCE challenge for a verifier."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


@dataclass
class App:
    """A client of the authorization server, with its credentials and tokens."""

    id: str
    secret: str = ""
    scopes: tuple[str, ...] = ALL
    http: Browser = field(default_factory=Browser)

    def asks(self, **changes: Any) -> dict[str, str]:
        """Return the query for ``/oauth/authorize``. None omits a parameter."""
        parameters = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": BACK,
            "scope": " ".join(self.scopes),
            "state": "a state",
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
            **changes,
        }
        return {name: value for name, value in parameters.items() if value is not None}

    def exchange(self, code: str, **changes: Any) -> Any:
        """The answer to a code."""
        usual = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "code_verifier": VERIFIER}
        return self._token(**{**usual, **changes})

    def refresh(self, token: str, **changes: Any) -> Any:
        """The answer to a refresh token."""
        return self._token(grant_type="refresh_token", refresh_token=token, **changes)

    def revoke(self, token: str, **more: Any) -> Any:
        """Give a token back."""
        return self._post("revoke", {"token": token, **self._who(), **more})

    def _token(self, **parameters: Any) -> Any:
        body = {**self._who(), **parameters}
        return self._post("token", {name: value for name, value in body.items() if value is not None})

    def _post(self, endpoint: str, parameters: dict[str, Any]) -> Any:
        """The answer to a form."""
        return self.http.post(f"/oauth/{endpoint}", urlencode(parameters), content_type=FORM)

    def _who(self) -> dict[str, str]:
        return {"client_id": self.id, **({"client_secret": self.secret} if self.secret else {})}


def app_of(owner: Account | None, *scopes: str, confidential: bool = False) -> App:
    """An app that was made known here."""
    app_scopes = scopes or ALL
    client, secret = register_app(NewApp("Corner table", [BACK], app_scopes, confidential), owner)
    return App(client.id, secret, tuple(app_scopes))


def browser_of(account: Account) -> Browser:
    """A browser with this person signed in, which checks forms as browsers' are checked."""
    browser = Browser(enforce_csrf_checks=True)
    browser.force_login(account, settings.AUTHENTICATION_BACKENDS[0])
    return browser


def answer_page(browser: Browser, page: Any, action: str = "grant", scopes: Any = None) -> Any:
    """Press a button of the consent page, with the boxes that are ticked unless others are named."""
    text = page.content.decode()
    ticked = re.findall(r'name="scopes" value="([^"]+)"[^>]*checked', text)
    (request,) = re.findall(r'name="request" value="([^"]+)"', text)
    form = text.partition('action="/oauth/authorize">')[2]
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
    data = {
        "request": html.unescape(request),
        "csrfmiddlewaretoken": token,
        "scopes": ticked if scopes is None else scopes,
        "action": action,
    }
    return browser.post("/oauth/authorize", data)


def sent_back(answer: Any) -> dict[str, str]:
    """Return the parameters that the app receives at its redirect address."""
    assert answer.status_code == 302, answer.content
    location = answer.headers["Location"]
    assert location.startswith(BACK), location
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}


def code_for(app: App, person: Account, scopes: Any = None) -> str:
    """The code of a person who agrees."""
    browser = browser_of(person)
    page = browser.get("/oauth/authorize", app.asks())
    return sent_back(answer_page(browser, page, scopes=scopes))["code"]


def tokens_for(app: App, person: Account, scopes: Any = None) -> dict[str, Any]:
    """The tokens of a person who agrees."""
    answer = app.exchange(code_for(app, person, scopes))
    assert answer.status_code == 200, answer.content
    tokens: dict[str, Any] = answer.json()
    return tokens


def acting(access_token: str) -> APIClient:
    """A program with this token."""
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {access_token}")
    return program
