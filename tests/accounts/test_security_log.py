"""Tests of which events of security stand in the log, and what their lines do not hold."""

import logging

import pytest
from django.test import Client

from accounts.models import Account
from tests.accounts.people import PASSWORD, Person


@pytest.fixture
def events(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Return the security events that are logged from now on."""
    caplog.set_level(logging.INFO, logger="darbar.security")
    return caplog


def logged(events: pytest.LogCaptureFixture) -> list[str]:
    """The names of the events, in order."""
    return [record.getMessage().split()[0] for record in events.records if record.name == "darbar.security"]


def test_signing_up_and_the_life_of_a_token_are_logged(maryam: Person, events: pytest.LogCaptureFixture) -> None:
    maryam.sign_up()
    maryam.confirm("no such code")
    maryam.confirm()
    token = maryam.ask_for_token().json()
    maryam.client.credentials(HTTP_AUTHORIZATION=f"Bearer {token['token']}")
    maryam.delete(f"tokens/{token['id']}/")
    assert logged(events) == ["code-refused", "address-confirmed", "token-created", "token-revoked"]
    account = Account.objects.get(email=maryam.email)
    assert f"address-confirmed account={account.pk} address=127.0.0.1" in events.messages


def test_a_wrong_password_is_counted_by_a_digest_of_its_address(
    maryam: Person, kaveh: Person, events: pytest.LogCaptureFixture
) -> None:
    for who in (maryam, maryam, kaveh):
        who.send("tokens/", {"email": who.email, "password": "not this", "name": "x"})
    refused = [text for text in events.messages if text.startswith("sign-in-refused")]
    assert len(refused) == 3
    assert refused[0] == refused[1] != refused[2]


def test_attempts_to_get_round_a_control_are_logged(maryam: Person, events: pytest.LogCaptureFixture) -> None:
    maryam.sign_up()
    maryam.confirm("no such code")
    maryam.confirm()
    maryam.send("tokens/", {"email": maryam.email, "password": "not this", "name": "x"})
    assert {"code-refused", "sign-in-refused"} <= {*logged(events)}
    reset = {"email": maryam.email, "code": "no such code", "password": "a rook on the seventh rank"}
    Client().post("/password/code/", reset)
    Client(enforce_csrf_checks=True).post("/login/", {"email": maryam.email, "password": PASSWORD})
    browser = Client()
    browser.post("/login/", {"email": maryam.email, "password": PASSWORD})
    browser.post("/settings/password/", {"old": "not this", "password": "a rook on the seventh rank"})
    for _ in range(6):
        maryam.send("tokens/", {"email": maryam.email, "password": "not this", "name": "x"})
    assert logged(events).count("code-refused") == 2
    assert "password-refused" in logged(events)
    refused = [text for text in events.messages if text.startswith("access-refused")]
    assert {text.split()[3] for text in refused} == {"status=401", "status=403", "status=429"}


def test_who_signs_in_and_out_on_the_pages_is_logged(maryam: Person, events: pytest.LogCaptureFixture) -> None:
    maryam.sign_up()
    maryam.confirm()
    browser = Client()
    browser.post("/login/", {"email": maryam.email, "password": PASSWORD})
    browser.post("/logout/")
    assert logged(events)[-2:] == ["signed-in", "signed-out"]


def test_a_refused_request_names_its_view_and_account(maryam: Person, events: pytest.LogCaptureFixture) -> None:
    assert maryam.get("me/").status_code == 401
    assert "access-refused account=- address=127.0.0.1 status=401 view=me" in events.messages


def test_no_line_holds_a_secret_a_name_or_an_email_address(maryam: Person, events: pytest.LogCaptureFixture) -> None:
    test_signing_up_and_the_life_of_a_token_are_logged(maryam, events)
    maryam.send("tokens/", {"email": maryam.email, "password": "not this", "name": "x"})
    log_text = " ".join(text for text in events.messages if "account=" in text)
    for secret in (maryam.email, maryam.name, PASSWORD, "not this", "no such code"):
        assert secret not in log_text
