"""Several requests at the same moment, each on a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connections
from django.test import Client

from accounts import second_factors
from accounts.models import Account, Token
from notifications.content import Code
from notifications.models import Notification
from tests.accounts.people import Person, later
from tests.factors import code, sure, with_app

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*requests: Callable[[], Any]) -> list[Any]:
    def run(request: Callable[[], Any]) -> Any:
        try:
            return request()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(requests)) as pool:
        return [answer.status_code for answer in pool.map(run, requests)]


@pytest.fixture(autouse=True)
def _with_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that waits for another to be counted waits for as long as that takes on a busy machine."""
    monkeypatch.setattr("allauth.core.internal.ratelimit.CACHE_LOCK_WAIT_TIMEOUT", 30)


def test_of_sign_ups_with_one_name_one_gets_it() -> None:
    people = [Person(name) for name in ("Maryam", "Kaveh", "Dariush", "Bahareh")]
    assert at_once(*(lambda person=person: person.sign_up(name="Mina") for person in people)) == [202] * 4
    assert sorted(at_once(*(lambda person=person: person.confirm() for person in people))) == [200, 400, 400, 400]
    assert Account.objects.count() == 1


def test_of_sign_ups_with_one_address_one_becomes_its_account(maryam: Person) -> None:
    for minute, name in enumerate(("Mina", "Sara", "Roya")):
        with later(minutes=minute):
            maryam.sign_up(name=name)
    codes = maryam.codes()
    assert len(set(codes)) == 3
    assert sorted(at_once(*(lambda code=code: maryam.confirm(code) for code in codes))) == [200, 400, 400]
    assert Account.objects.count() == 1


def test_one_code_sent_twice_at_once_confirms_once(maryam: Person) -> None:
    maryam.sign_up()
    code = maryam.code()
    assert sorted(at_once(lambda: maryam.confirm(code), lambda: maryam.confirm(code))) == [200, 400]


@pytest.mark.parametrize("by_app", [True, False], ids=["app", "recovery"])
def test_of_requests_that_show_one_code_of_a_second_factor_one_is_served(maryam: Person, by_app: bool) -> None:
    maryam.settle()
    account = with_app(Account.objects.get())
    otp = code() if by_app else second_factors.recovery_codes(account)[0]
    answers = at_once(*(lambda: Person("Maryam").ask_for_token(otp=otp) for _ in range(4)))
    assert sorted(answers) == [201, 401, 401, 401]
    assert Token.objects.count() == 2


@pytest.mark.parametrize("addresses", [["zari@example.net", "roya@example.net"], ["zari@example.net"] * 2])
def test_of_two_changes_of_an_address_at_once_one_is_made(maryam: Person, kaveh: Person, addresses: list[str]) -> None:
    """Two addresses for one account, or one address for two accounts."""
    people = [maryam.settle(), maryam if addresses[0] != addresses[1] else kaveh.settle()]
    browsers = [sure_browser(Account.objects.get(email=person.email)) for person in people]
    changes = []
    for minute, (browser, address) in enumerate(zip(browsers, addresses, strict=True)):
        with later(minutes=minute * 2):
            assert browser.post("/settings/address/", {"email": address}).status_code == 302
        new_code = codes_in(address)[-1]
        changes.append(partial(browser.post, "/settings/address/", {"code": new_code}))
    assert sorted(at_once(*changes)) == [302, 422]
    changed = [email for email in Account.objects.values_list("email", flat=True) if email in addresses]
    assert len(changed) == 1
    assert EmailAddress.objects.filter(email__in=addresses).count() == 1


def sure_browser(account: Account) -> Client:
    browser = Client()
    browser.force_login(account)
    return sure(browser)


def codes_in(address: str) -> list[str]:
    """Return the codes that were sent to an address, the oldest first."""
    rows = Notification.objects.filter(address=address).order_by("created_at", "pk")
    return [block.text for row in rows for block in row.content().blocks if isinstance(block, Code)]
