"""Access to ``/admin/`` needs a second factor that was passed in this session."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Account, ModerationAction
from tests.factors import passed, with_app
from tests.games.operations.admin.conftest import browser

pytestmark = pytest.mark.django_db


def with_password_only(account: Account) -> Client:
    """A browser that has passed no second factor."""
    client = Client()
    client.force_login(account, "allauth.account.auth_backends.AuthenticationBackend")
    return client


def warn(client: Client, account: Account) -> Any:
    """The answer to a moderator's act."""
    address = reverse("admin:accounts_account_change", args=[account.pk])
    return client.post(address, {"act": "warn", "days": "", "why": "Be kind"}, follow=True)


@pytest.mark.parametrize("role", ["kaveh", "dariush"])
def test_without_a_second_factor_the_staff_is_led_to_setting_one_up(
    role: str, request: pytest.FixtureRequest, maryam: Account
) -> None:
    client = with_password_only(request.getfixturevalue(role))
    for path in ("/admin/", "/admin/accounts/report/", "/admin/health/", "/admin/waiting/"):
        answer = client.get(path, follow=True)
        assert answer.redirect_chain[-1][0] == "/settings/two-factor/"
        assert "Moderators and the operator need a second factor." in answer.content.decode()
    warn(client, maryam)
    assert not ModerationAction.objects.exists()


def test_a_session_that_has_not_passed_it_is_asked_for_it(kaveh: Account, maryam: Account) -> None:
    client = with_password_only(with_app(kaveh))
    assert (
        client.get("/admin/accounts/report/", follow=True)
        .redirect_chain[-1][0]
        .startswith("/login/again/?next=%2Fadmin")
    )
    warn(client, maryam)
    assert not ModerationAction.objects.exists()
    warn(passed(client, kaveh), maryam)
    assert ModerationAction.objects.count() == 1


def test_whoever_removes_the_factor_is_out_again(kaveh: Account) -> None:
    client = browser(kaveh)
    assert client.get("/admin/").status_code == 200
    kaveh.authenticator_set.all().delete()
    assert client.get("/admin/").status_code == 302


def test_a_password_is_changed_in_the_settings_and_nowhere_else(kaveh: Account) -> None:
    assert browser(kaveh).get("/admin/password_change/").headers["Location"] == "/settings/password/"
