"""The second factor in the API: ``otp`` with the password, and the storage of secrets."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts import second_factors
from accounts.models import Account, Token
from accounts.second_factors import Type
from notifications.models import Notification
from tests.accounts.people import PASSWORD, Person, later, problem
from tests.factors import SECRET, code, with_app


@pytest.fixture
def still_clock() -> Iterator[None]:
    """A clock that stands still: a code must not be used in another step than the one it was made in."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture
def guarded(maryam: Person) -> Person:
    """Maryam, with an authenticator app."""
    maryam.settle()
    with_app(Account.objects.get())
    return maryam


def headlines() -> list[str]:
    """Return the headlines of all notifications, oldest first."""
    return [notification.content().headline for notification in Notification.objects.order_by("created_at")]


def test_with_a_second_factor_a_password_alone_makes_no_token(guarded: Person) -> None:
    problem(guarded.ask_for_token(), 401, "otp-required")
    problem(guarded.ask_for_token(otp="000000"), 401, "otp-wrong")
    assert Token.objects.count() == 1
    assert guarded.ask_for_token(otp=code()).status_code == 201


def test_a_wrong_password_is_told_before_the_second_factor_is_asked_for(guarded: Person) -> None:
    problem(guarded.ask_for_token(password="wrong"), 401, "unauthenticated")
    problem(guarded.ask_for_token(password="wrong", otp=code()), 401, "unauthenticated")
    assert guarded.ask_for_token(otp=code()).status_code == 201


def test_without_a_second_factor_an_otp_changes_nothing(maryam: Person) -> None:
    maryam.settle()
    assert maryam.ask_for_token(otp="123456").status_code == 201


def test_a_code_is_accepted_once_even_if_the_cache_forgets_it(guarded: Person) -> None:
    now = code()
    assert guarded.ask_for_token(otp=now).status_code == 201
    cache.clear()
    problem(guarded.ask_for_token(otp=now), 401, "otp-wrong")
    problem(guarded.ask_for_token(otp=code(-1)), 401, "otp-wrong")
    assert guarded.ask_for_token(otp=code(1)).status_code == 201


@pytest.mark.usefixtures("still_clock")
def test_codes_are_taken_one_step_early_or_late_and_no_further(guarded: Person) -> None:
    problem(guarded.ask_for_token(otp=code(2)), 401, "otp-wrong")
    assert guarded.ask_for_token(otp=code(1)).status_code == 201


def test_a_code_may_be_typed_in_any_digits(guarded: Person) -> None:
    persian = code().translate(str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹"))
    assert guarded.ask_for_token(otp=f"{persian[:3]} {persian[3:]}").status_code == 201


def test_a_recovery_code_works_once_and_its_owner_is_told(guarded: Person) -> None:
    account = Account.objects.get()
    first, *others = second_factors.recovery_codes(account)
    assert guarded.ask_for_token(otp=f"{first[:4]}-{first[4:]}").status_code == 201
    problem(guarded.ask_for_token(otp=first), 401, "otp-wrong")
    assert second_factors.recovery_codes(account) == others
    assert "A recovery code of your account was used. Codes left: 9." in headlines()


def test_guesses_are_limited_and_the_limit_ends(guarded: Person) -> None:
    for _ in range(5):
        problem(guarded.ask_for_token(otp="000000"), 401, "otp-wrong")
    problem(guarded.ask_for_token(otp=code()), 429, "rate-limited")
    with later(minutes=6):
        assert guarded.ask_for_token(otp=code()).status_code == 201


def test_what_is_stored_opens_nothing_without_the_secret_key(guarded: Person, settings: Any) -> None:
    stored_text = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert SECRET not in stored_text
    assert not any(
        recovery_code in stored_text for recovery_code in second_factors.recovery_codes(Account.objects.get())
    )
    settings.SECRET_KEY = "another"
    cache.clear()
    problem(guarded.ask_for_token(otp=code()), 401, "otp-wrong")


def test_the_old_secret_key_still_opens_it_while_it_is_named(guarded: Person, settings: Any) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert guarded.ask_for_token(otp=code()).status_code == 201


def test_what_becomes_of_second_factors_stands_in_the_log(guarded: Person, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "darbar.security")
    account = Account.objects.get()
    guarded.ask_for_token(otp="000000")
    call_command("second_factor", guarded.email, remove=True)
    lines = [record.getMessage().strip() for record in caplog.records]
    assert f"second-factor-refused account={account.pk} address=127.0.0.1" in lines
    assert f"second-factors-removed-by-operator account={account.pk} address=-" in lines


def test_an_account_is_deleted_with_the_second_factor_only(guarded: Person) -> None:
    problem(guarded.send("me/deletion/", {"password": PASSWORD}), 401, "otp-required")
    problem(guarded.send("me/deletion/", {"password": PASSWORD, "otp": "000000"}), 401, "otp-wrong")
    assert guarded.send("me/deletion/", {"password": PASSWORD, "otp": code()}).status_code == 204
    assert not Authenticator.objects.exists()


def test_the_owner_is_mailed_about_every_token_but_the_first(maryam: Person) -> None:
    maryam.settle()
    sentence = "A token for your account was created with your password."
    assert sentence not in headlines()
    maryam.ask_for_token(name="the bot")
    assert sentence in headlines()
    assert "the bot" in str(Notification.objects.latest("created_at").content().blocks)


def test_the_export_names_factors_and_holds_no_secret(guarded: Person) -> None:
    exported = guarded.get("me/export/")
    assert [factor["type"] for factor in exported.json()["second_factors"]] == [Type.TOTP]
    assert SECRET not in exported.content.decode()


def test_the_operator_removes_factors_that_are_lost_and_their_owner_is_told(
    guarded: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("second_factor", guarded.email)
    assert "(totp)" in capsys.readouterr().out
    call_command("second_factor", guarded.email.upper(), remove=True)
    assert not Authenticator.objects.exists()
    assert guarded.ask_for_token().status_code == 201
    assert "The operator of this server removed two-factor login from your account." in headlines()
    with pytest.raises(CommandError, match="no account with the address"):
        call_command("second_factor", "nobody@example.org")
