"""Getting a token for a password, and taking it back."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core import serializers
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import Account, Token
from accounts.tokens import ALL
from tests.accounts.people import PASSWORD, CountingHasher, Person, later, problem


def test_a_token_is_shown_once_and_kept_as_a_hash(maryam: Person) -> None:
    maryam.settle()
    answer = maryam.ask_for_token(name="my bot", scopes=["games:play", "games:read"])
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    token_text = answer.json().pop("token")
    assert token_text.startswith("darbar_")
    assert len(token_text) == len("darbar_") + 64
    stored_text = serializers.serialize("json", [*Token.objects.all(), *Account.objects.all()])
    assert token_text not in stored_text
    assert token_text[15:] not in stored_text
    assert PASSWORD not in stored_text
    listed = maryam.get("tokens/")
    assert token_text not in listed.content.decode()
    token = listed.json()["results"][0]
    assert {key: token[key] for key in ("id", "name", "scopes", "prefix", "expires_at")} == {
        "id": answer.json()["id"],
        "name": "my bot",
        "scopes": ["games:read", "games:play"],
        "prefix": token_text[:15],
        "expires_at": None,
    }


def test_a_token_may_do_everything_where_nothing_is_named(maryam: Person) -> None:
    maryam.settle()
    assert maryam.ask_for_token().json()["scopes"] == list(ALL)


def test_a_wrong_password_and_an_unknown_address_are_told_the_same_after_the_same_work(
    maryam: Person, kaveh: Person
) -> None:
    maryam.settle()
    kaveh.sign_up()
    CountingHasher.hashed.clear()
    answer_for_known = maryam.ask_for_token(password="wrong 1")
    unconfirmed = kaveh.ask_for_token(password="wrong 2")
    unknown = Person("Dariush").ask_for_token(password="wrong 3")
    problem(answer_for_known, 401, "unauthenticated")
    assert answer_for_known.content == unconfirmed.content == unknown.content
    assert _without_allowance(answer_for_known.headers) == _without_allowance(unknown.headers)
    assert answer_for_known.headers["WWW-Authenticate"] == "Bearer"
    assert CountingHasher.hashed == ["wrong 1", "wrong 2", "wrong 3"]


def _without_allowance(headers: Any) -> dict[str, str]:
    """The headers but those that number a request, and that count the sender's own."""
    return {name: value for name, value in headers.items() if not name.startswith(("RateLimit", "X-Request-ID"))}


def test_passwords_can_be_guessed_only_so_often(maryam: Person) -> None:
    maryam.settle()
    answers = [maryam.ask_for_token(password="wrong").status_code for _ in range(6)]
    assert answers == [401] * 5 + [429]
    problem(maryam.ask_for_token(), 429, "rate-limited")
    problem(Person("Dariush").ask_for_token(), 401, "unauthenticated")
    with later(minutes=6):
        assert maryam.ask_for_token().status_code == 201


def test_an_unconfirmed_sign_up_gets_no_token_and_no_mail(maryam: Person) -> None:
    maryam.sign_up()
    body = problem(maryam.ask_for_token(), 401, "unauthenticated")
    assert "once it’s confirmed" in body["detail"]
    assert len(maryam.notifications()) == 1
    assert maryam.confirm().status_code == 200
    assert maryam.ask_for_token().status_code == 201


def test_a_closed_account_gets_no_token_and_its_tokens_end(maryam: Person) -> None:
    maryam.settle()
    Account.objects.update(is_active=False)
    problem(maryam.ask_for_token(), 403, "forbidden")
    problem(maryam.ask_for_token(password="wrong"), 401, "unauthenticated")
    problem(maryam.get("me/"), 401, "unauthenticated")


def test_a_deleted_token_ends_at_once(maryam: Person) -> None:
    maryam.settle()
    token = maryam.ask_for_token().json()
    phone = APIClient()
    phone.credentials(HTTP_AUTHORIZATION=f"Bearer {token['token']}")
    assert phone.get("/api/v1/me/").status_code == 200
    assert maryam.delete(f"tokens/{token['id']}/").status_code == 204
    problem(phone.get("/api/v1/me/"), 401, "unauthenticated")
    problem(maryam.delete(f"tokens/{token['id']}/"), 404, "not-found")


def test_a_token_can_delete_itself(maryam: Person) -> None:
    maryam.settle()
    (token,) = maryam.get("tokens/").json()["results"]
    assert maryam.delete(f"tokens/{token['id']}/").status_code == 204
    problem(maryam.get("tokens/"), 401, "unauthenticated")


def test_a_token_of_somebody_else_looks_like_one_that_is_not_there(maryam: Person, kaveh: Person) -> None:
    maryam.settle()
    kaveh.settle()
    (token,) = maryam.get("tokens/").json()["results"]
    foreign = kaveh.delete(f"tokens/{token['id']}/")
    problem(foreign, 404, "not-found")
    assert foreign.content == kaveh.delete(f"tokens/{uuid.uuid4()}/").content
    assert [listed_token["id"] for listed_token in kaveh.get("tokens/").json()["results"]] != [token["id"]]
    assert maryam.get("me/").status_code == 200


def test_an_expired_token_ends_and_looking_at_it_changes_nothing(maryam: Person) -> None:
    maryam.settle()
    token = maryam.ask_for_token(expires_in="PT2H").json()
    assert parse_datetime(token["expires_at"]) > parse_datetime(token["created_at"])
    phone = APIClient()
    phone.credentials(HTTP_AUTHORIZATION=f"Bearer {token['token']}")
    with later(minutes=119):
        assert phone.get("/api/v1/me/").status_code == 200
    with later(minutes=121):
        problem(phone.get("/api/v1/me/"), 401, "unauthenticated")
        assert maryam.get("me/").status_code == 200
    assert Token.objects.count() == 2


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer a b",
        "Bearer darbar_" + "0" * 64,
        "Bearer \u00e9\u00ff",
        "Bearer \0",
        "Token x",
        "Basic bWFyeWFtOng=",
        "",
    ],
)
def test_a_header_that_is_no_token_is_refused(maryam: Person, header: str) -> None:
    maryam.settle()
    maryam.client.credentials(HTTP_AUTHORIZATION=header)
    answer = maryam.get("me/")
    problem(answer, 401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_last_character_of_a_token_counts(maryam: Person) -> None:
    maryam.settle()
    token_text = maryam.ask_for_token().json()["token"]
    maryam.show(token_text[:-1] + ("0" if token_text[-1] != "0" else "1"))
    problem(maryam.get("me/"), 401, "unauthenticated")


def test_a_stale_token_in_the_header_does_not_hinder_getting_a_new_one(maryam: Person) -> None:
    maryam.settle()
    maryam.show("darbar_stale")
    assert maryam.ask_for_token().status_code == 201


@pytest.mark.parametrize(
    ("field", "value", "pointer", "sentence"),
    [
        ("scopes", ["games:win"], "#/scopes/0", "games:read, games:play, chat, account and webhooks"),
        ("scopes", [], "#/scopes", "empty"),
        ("scopes", "chat", "#/scopes", "list"),
        ("name", "", "#/name", "blank"),
        ("name", "x" * 101, "#/name", "100"),
        ("expires_in", "-P1D", "#/expires_in", "PT1M"),
        ("expires_in", "soon", "#/expires_in", "P2D"),
        ("expires_in", 86400, "#/expires_in", "P2D"),
        ("expires_in", "1 00:00:00", "#/expires_in", "P2D"),
        ("expires_in", "PT59S", "#/expires_in", "from PT1M to P3650D"),
        ("expires_in", "P3651D", "#/expires_in", "from PT1M to P3650D"),
        ("expires_in", "P99999999999D", "#/expires_in", "from PT1M to P3650D"),
        ("expires_at", "2020-01-01T00:00:00Z", "#/expires_at", "a minute and ten years"),
        ("expires_at", "2126-01-01T00:00:00Z", "#/expires_at", "a minute and ten years"),
        ("expires_at", "tomorrow", "#/expires_at", "Datetime has wrong format"),
        ("user", 1, "#/user", "The fields are: email, password, otp, name, scopes, expires_in, expires_at"),
    ],
)
def test_what_is_wrong_with_a_wish_is_named(
    maryam: Person, field: str, value: Any, pointer: str, sentence: str
) -> None:
    maryam.settle()
    body = problem(maryam.ask_for_token(**{field: value}), 400, "malformed")
    assert [error["pointer"] for error in body["errors"]] == [pointer]
    assert sentence in body["detail"]


def test_every_scope_is_named_where_one_is_refused(maryam: Person) -> None:
    detail = maryam.ask_for_token(scopes=["x"]).json()["detail"]
    assert all(scope in detail for scope in ALL)


def test_a_token_may_end_at_a_time_that_is_named(maryam: Person) -> None:
    maryam.settle()
    year = timezone.now().year + 2
    token = maryam.ask_for_token(expires_at=f"{year}-01-01T00:00:00+03:30").json()
    assert parse_datetime(token["expires_at"]).isoformat(timespec="seconds") == f"{year - 1}-12-31T20:30:00+00:00"
    body = problem(maryam.ask_for_token(expires_at=f"{year}-01-01T00:00:00Z", expires_in="P1D"), 400, "malformed")
    assert body["errors"][0]["pointer"] == "#/expires_at"


def test_the_last_use_of_a_token_is_written_once_in_an_hour(maryam: Person) -> None:
    maryam.settle()
    maryam.get("me/")
    (token,) = maryam.get("tokens/").json()["results"]
    first = parse_datetime(token["last_used_at"])
    assert abs(first - timezone.now()) < timedelta(minutes=1)
    with later(minutes=58), CaptureQueriesContext(connection) as queries:
        assert maryam.get("tokens/").json()["results"][0]["last_used_at"] == token["last_used_at"]
    assert not [query for query in queries if query["sql"].startswith("UPDATE")]
    with later(minutes=61):
        maryam.get("me/")
        assert parse_datetime(maryam.get("tokens/").json()["results"][0]["last_used_at"]) > first + timedelta(hours=1)


def test_a_token_that_was_never_shown_says_so(maryam: Person) -> None:
    maryam.settle()
    maryam.ask_for_token(name="unused")
    maryam.get("me/")
    assert [token["last_used_at"] is None for token in maryam.get("tokens/").json()["results"]] == [True, False]


def test_an_account_has_a_hundred_tokens_at_most(maryam: Person) -> None:
    maryam.settle()
    account = Account.objects.get()
    for number in range(tokens.MOST - 1):
        tokens.issue(account, f"token {number}", ["chat"])
    body = problem(maryam.ask_for_token(), 409, "limit-reached")
    assert "100" in body["detail"]
    maryam.delete(f"tokens/{maryam.get('tokens/').json()['results'][0]['id']}/")
    assert maryam.ask_for_token().status_code == 201
