"""The cast, who reach accounts through the API and read their notifications in the outbox."""

from datetime import timedelta
from typing import Any, ClassVar

import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL
from notifications.content import Code, Footnote, Prose, RenderedNotification
from notifications.models import Notification

PASSWORD = "seven goats on a roof"


def later(**how_long: int) -> time_machine.travel:
    """A block that is run some time later, by the clock."""
    return time_machine.travel(timezone.now() + timedelta(**how_long))


def forget_tries() -> None:
    """Delete all counted requests and attempts."""
    cache.clear()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_allowance")


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The body of an answer, which is this problem."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code), body
    return body


class Person:
    """A person with an address and a password who uses the API."""

    def __init__(self, name: str, language: str = "en", time_zone: str = "Asia/Tehran") -> None:
        self.name = name
        self.email = f"{name.lower()}@darbar.example"
        self.form = {
            "email": self.email,
            "password": PASSWORD,
            "name": name,
            "language": language,
            "time_zone": time_zone,
        }
        self.client = APIClient()

    def send(self, path: str, body: Any, method: str = "post") -> Any:
        """The answer to JSON."""
        return getattr(self.client, method)(f"/api/v1/{path}", body, format="json")

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}")

    def delete(self, path: str) -> Any:
        return self.client.delete(f"/api/v1/{path}")

    def sign_up(self, **changes: Any) -> Any:
        """The answer to signing up, with some fields changed."""
        return self.send("accounts/", {**self.form, **changes})

    def confirm(self, code: str | None = None) -> Any:
        """The answer to a code, by default the one in the latest notification."""
        data = {"email": self.email, "code": code or self.code(), "password": self.form["password"]}
        return self.send("accounts/confirm/", data)

    def ask_for_token(self, **changes: Any) -> Any:
        """The answer to asking for a token, with some fields changed."""
        return self.send("tokens/", {"email": self.email, "password": PASSWORD, "name": "the phone", **changes})

    def show(self, token: str) -> None:
        """Show a token from now on."""
        self.client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")

    def settle_by_api(self) -> "Person":
        """Sign up, confirm the address, get a token, and show the token from now on."""
        assert self.sign_up().status_code == 202
        assert self.confirm().status_code == 200
        self.show(self.ask_for_token().json()["token"])
        return self

    def settle(self) -> "Person":
        """Create an account with a confirmed address and a token, and show the token from now on."""
        fields = {name: self.form[name] for name in ("name", "language", "time_zone")}
        account = Account.objects.create_user(self.email, PASSWORD, **fields)
        account.emailaddress_set.create(email=self.email, verified=True, primary=True)
        self.show(tokens.issue(account, "the phone", list(ALL))[1])
        return self

    def notifications(self) -> list[RenderedNotification]:
        """The notifications to their address, the oldest first."""
        return [
            notification.content()
            for notification in Notification.objects.filter(address=self.email).order_by("created_at")
        ]

    def code(self) -> str:
        """The code in the latest notification that holds one."""
        return self.codes()[-1]

    def codes(self) -> list[str]:
        """The codes in the notifications to their address, the oldest first."""
        return [
            block.text
            for notification in self.notifications()
            for block in notification.blocks
            if isinstance(block, Code)
        ]


def words(notification: RenderedNotification) -> str:
    """The sentences of a notification."""
    return " ".join(
        line for block in notification.blocks if isinstance(block, Prose | Footnote) for line in block.lines
    )


class CountingHasher(MD5PasswordHasher):
    """Records each password that is hashed, which is the work that takes time."""

    hashed: ClassVar[list[str]] = []

    def encode(self, password: str, salt: str) -> str:
        self.hashed.append(password)
        return super().encode(password, salt)
