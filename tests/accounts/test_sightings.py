"""Sightings: which browsers and networks accounts have in common, for how long that is kept, and who is told."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import security_log, tokens
from accounts.account_data import delete_account, export_account
from accounts.models import Account, Sighting
from accounts.tasks import delete_expired
from tests.accounts.people import PASSWORD, Person, later

BROWSER, NETWORK = Sighting.Kind.BROWSER, Sighting.Kind.NETWORK


@pytest.fixture
def people(maryam: Person, kaveh: Person) -> list[Person]:
    """Two who have accounts, and were not seen yet."""
    for person in (maryam, kaveh):
        person.settle()
    Sighting.objects.all().delete()
    return [maryam, kaveh]


def log_in(person: Person, browser: Client) -> None:
    assert browser.post("/login/", {"email": person.email, "password": PASSWORD}).status_code == 302
    browser.post("/logout/")


def shared() -> list[str]:
    """The kinds of places that the two have in common."""
    both = tuple(Account.objects.order_by("pk").values_list("pk", flat=True))
    pairs = list(security_log.shared(timezone.now()))
    assert all((first, second) == both for _, first, second in pairs)
    return [kind for kind, *_ in pairs]


def test_accounts_that_log_in_in_one_browser_have_it_in_common(people: list[Person]) -> None:
    browser = Client(REMOTE_ADDR="203.0.113.7")
    log_in(people[0], browser)
    browser.defaults["REMOTE_ADDR"] = "203.0.113.8"
    log_in(people[1], browser)
    assert shared() == [BROWSER]


def test_accounts_that_are_used_from_one_network_have_it_in_common(people: list[Person]) -> None:
    for person, address in zip(people, ("2001:db8:1:2::1", "2001:db8:1:2::2"), strict=True):
        log_in(person, Client(REMOTE_ADDR=address))
    assert shared() == [NETWORK]


def test_others_have_nothing_in_common(people: list[Person]) -> None:
    for person, address in zip(people, ("203.0.113.7", "203.0.113.8"), strict=True):
        log_in(person, Client(REMOTE_ADDR=address))
    assert shared() == []


def test_behind_our_proxy_the_network_is_the_clients(people: list[Person], settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for person, address in zip(people, ("203.0.113.7", "203.0.113.8"), strict=True):
        log_in(person, Client(REMOTE_ADDR="127.0.0.1", headers={"X-Forwarded-For": f"198.51.100.1, {address}"}))
    assert shared() == []
    log_in(people[1], Client(REMOTE_ADDR="127.0.0.1", headers={"X-Forwarded-For": "203.0.113.7"}))
    assert shared() == [NETWORK]


def test_a_token_is_noted_with_its_network_once_an_hour(people: list[Person]) -> None:
    account = Account.objects.first()
    _, token_text = tokens.issue(account, "phone", ["account"])
    for address in ("203.0.113.7", "203.0.113.8"):
        APIClient(REMOTE_ADDR=address, HTTP_AUTHORIZATION=f"Bearer {token_text}").get("/api/v1/me/")
    assert Sighting.objects.filter(account=account, kind=NETWORK).count() == 1


def test_a_place_where_many_accounts_are_seen_tells_nothing(people: list[Person]) -> None:
    for number in range(security_log.MOST_SHARING + 1):
        assert len([*security_log.shared(timezone.now())]) == number * (number - 1) / 2
        account = Account.objects.create_user(f"{number}@example.org", name=f"Player {number}")
        security_log.note_browser(account, ["00" * 10], timezone.now())
    assert shared() == []


def test_a_guest_is_not_noted(db: None) -> None:
    assert Client().post("/try/", {"rules": "coup"}).status_code == 302
    assert Account.objects.get().is_guest
    assert not Sighting.objects.exists()


def test_sightings_are_deleted_when_their_time_is_over(people: list[Person]) -> None:
    log_in(people[0], Client())
    with later(days=13):
        delete_expired()
        assert Sighting.objects.count() == 2
        log_in(people[1], Client())
        assert shared() == [NETWORK]
    with later(days=14, minutes=1):
        assert shared() == []
        delete_expired()
        assert {sighting.account.email for sighting in Sighting.objects.all()} == {people[1].email}


def test_an_operator_can_do_without(people: list[Person], settings: Any) -> None:
    log_in(people[0], Client())
    settings.KEEP_SIGHTINGS = timedelta()
    log_in(people[1], Client())
    delete_expired()
    assert not Sighting.objects.exists()


def test_sightings_are_exported_without_an_address_and_go_with_the_account(people: list[Person]) -> None:
    log_in(people[0], Client(REMOTE_ADDR="203.0.113.7"))
    account = Account.objects.get(email=people[0].email)
    exported = export_account(account, timezone.now())["sightings"]
    assert {sighting["kind"] for sighting in exported} == {BROWSER, NETWORK}
    assert "203.0.113.7" not in str(exported)
    delete_account(account, timezone.now())
    assert not Sighting.objects.exists()
