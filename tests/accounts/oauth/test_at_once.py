"""Two who show the same code or refresh token at the same moment; many who draw on one allowance."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.idp.oidc.models import Token
from django.core.cache import cache
from django.db import connection, connections
from django.test import Client as Browser
from django.utils import timezone

from accounts.models import Account
from accounts.rate_limits import Policy, take
from tests.accounts.oauth.app import VERIFIER, App, acting, code_for, tokens_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _emptied() -> None:
    cache.clear()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_allowance")


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Return the results of calls that are made at the same moment."""

    def run(call: Callable[[], Any]) -> Any:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def _again(app: App) -> App:
    """Return the same app with a separate connection."""
    return App(app.id, app.secret, app.scopes, Browser())


def test_of_two_who_show_one_code_at_once_one_is_served_and_then_nobody(app: App, maryam: Account) -> None:
    code = code_for(app, maryam)
    answers = at_once(*[partial(_again(app).exchange, code) for _ in range(4)])
    served = [answer.json() for answer in answers if answer.status_code == 200]
    assert len(served) == 1
    assert acting(served[0]["access_token"]).get("/api/v1/me/").status_code == 401


def test_what_stands_beside_a_code_does_not_serve_several_at_once(app: App, maryam: Account) -> None:
    code = code_for(app, maryam)
    answers = at_once(*[partial(_again(app).exchange, code, refresh_token=f"decoy {number}") for number in range(6)])
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400, 400]
    assert not Token.objects.exists()


def test_of_many_who_show_one_code_at_once_with_guessed_verifiers_nobody_is_served_after_the_first(
    app: App, maryam: Account
) -> None:
    code = code_for(app, maryam)
    verifiers = ["x" * 43, "y" * 43, "z" * 43]
    assert app.exchange(code, code_verifier="w" * 43).status_code == 400
    answers = at_once(
        *[partial(_again(app).exchange, code, code_verifier=verifier) for verifier in [*verifiers, VERIFIER]]
    )
    assert [answer.json()["error"] for answer in answers] == ["invalid_grant"] * 4
    assert not Token.objects.exists()


def test_of_two_who_show_one_refresh_token_at_once_one_is_served_and_then_nobody(app: App, maryam: Account) -> None:
    tokens = tokens_for(app, maryam)
    answers = at_once(*[partial(_again(app).refresh, tokens["refresh_token"]) for _ in range(4)])
    served = [answer.json() for answer in answers if answer.status_code == 200]
    assert len(served) == 1
    assert acting(served[0]["access_token"]).get("/api/v1/me/").status_code == 401


def test_of_many_at_once_exactly_as_many_are_let_in_as_there_is_allowance() -> None:
    policy = Policy("token", 10, timedelta(hours=1))
    now = timezone.now()
    balances = at_once(*[lambda: take("maryam", policy, now) for _ in range(16)])
    assert sorted(balance.left for balance in balances if balance.granted) == list(range(10))
    assert sum(not balance.granted for balance in balances) == 6
