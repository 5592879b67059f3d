"""Passkeys in Chromium, with an authenticator of the browser's own in place of a finger."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from tests.browser import Visit, Visitor

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "seven goats on a roof"


@pytest.fixture
def server(live_server: LiveServer, settings: Any) -> LiveServer:
    cache.clear()
    settings.PUBLIC_URL = live_server.url
    return live_server


@pytest.fixture
def member(db: None) -> Account:
    """Has a password and has confirmed her address."""
    account = Account.objects.create_user("maryam@example.org", PASSWORD, name="Maryam")
    Account.objects.update(last_login=timezone.now() - timedelta(days=1))
    account.emailaddress_set.create(email=account.email, verified=True, primary=True)
    return account


def with_authenticator(visitor: Visitor) -> Visitor:
    """The visitor, whose device confirms each use of a passkey by itself."""
    devtools = visitor.context.new_cdp_session(visitor.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return visitor


def give_password(visitor: Visitor) -> None:
    visitor.go("/login/")
    visitor.page.fill("#id_email", "maryam@example.org")
    visitor.page.fill("#id_password", PASSWORD)
    visitor.page.click("main form button")


def test_a_passkey_is_added_used_to_log_in_and_to_confirm(server: LiveServer, visit: Visit, member: Account) -> None:
    maryam = with_authenticator(visit(server.url))
    give_password(maryam)
    expect(maryam.page.get_by_role("button", name="Log out")).to_be_visible()
    maryam.go("/settings/two-factor/passkey/")
    maryam.page.fill("#id_name", "my key")
    maryam.page.get_by_role("button", name="Create the passkey").click()
    expect(maryam.page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert Authenticator.objects.get(type="webauthn").wrap().name == "my key"

    maryam.page.get_by_role("button", name="Log out").click()
    give_password(maryam)
    expect(maryam.page.get_by_role("heading", name="Two-factor login")).to_be_visible()
    maryam.page.get_by_role("button", name="Use a passkey").click()
    expect(maryam.page.get_by_role("button", name="Log out")).to_be_visible()

    maryam.go("/login/again/?next=/settings/two-factor/")
    maryam.page.fill("#id_password", PASSWORD)
    maryam.page.get_by_role("button", name="Use the password above and a passkey").click()
    expect(maryam.page.get_by_text("my key")).to_be_visible()
    assert maryam.complaints == []


def test_without_the_passkey_nobody_comes_in(server: LiveServer, visit: Visit, member: Account) -> None:
    maryam = with_authenticator(visit(server.url))
    give_password(maryam)
    expect(maryam.page.get_by_role("button", name="Log out")).to_be_visible()
    maryam.go("/settings/two-factor/passkey/")
    maryam.page.fill("#id_name", "my key")
    maryam.page.get_by_role("button", name="Create the passkey").click()
    expect(maryam.page.get_by_role("heading", name="Recovery codes")).to_be_visible()

    thief = visit(server.url)
    give_password(thief)
    expect(thief.page.get_by_role("heading", name="Two-factor login")).to_be_visible()
    with_authenticator(thief)
    thief.page.get_by_role("button", name="Use a passkey").click()
    expect(thief.page.get_by_role("status")).to_have_text(
        "Your browser didn’t give us a passkey. Try again, or use a code."
    )
    thief.page.get_by_role("button", name="Log in", exact=True).click()
    expect(thief.page.get_by_role("alert")).to_be_visible()
    assert "Log out" not in thief.page.content()
