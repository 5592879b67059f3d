"""Emails go to public domains only."""

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from rest_framework import serializers

from accounts import email_addresses
from accounts.credentials import validate_address
from accounts.models import Account
from accounts.web.serializers import StrictSerializer
from config import urls as _urls  # noqa: F401 - loads all forms and serializers
from tests.accounts.people import Person, forget_tries, problem
from tests.examples import for_each, read_examples

EXAMPLES = read_examples(__file__)

FIELDS_OF_KNOWN_ADDRESSES = {
    "ConfirmSerializer.email",
    "NewTokenSerializer.email",
    "CodeForm.email",
    "ForgottenPasswordForm.email",
    "LogInForm.email",
}
"""Fields that find an account, or a sign-up, by its address. Nothing is sent to another address."""


@for_each("address", EXAMPLES["refused"])
def test_an_address_that_no_mail_server_delivers_to_is_refused(address: str) -> None:
    with pytest.raises(ValidationError):
        validate_address(address)


@pytest.mark.parametrize("address", EXAMPLES["allowed"])
def test_an_address_of_a_public_domain_is_allowed(address: str) -> None:
    validate_address(address)


def descendants(base: type) -> Iterator[type]:
    for child in base.__subclasses__():
        yield child
        yield from descendants(child)


def test_every_field_for_an_address_checks_it() -> None:
    unchecked = set()
    kinds: list[tuple[Any, str, Any]] = [
        (StrictSerializer, "_declared_fields", serializers.EmailField),
        (forms.Form, "declared_fields", forms.EmailField),
    ]
    for base, attribute, kind in kinds:
        for child in descendants(base):
            if not child.__module__.startswith(("accounts", "games", "notifications")):
                continue
            for name, field in getattr(child, attribute).items():
                is_inherited = any(name in getattr(parent, attribute, {}) for parent in child.__bases__)
                if isinstance(field, kind) and not is_inherited and validate_address not in field.validators:
                    unchecked.add(f"{child.__name__}.{name}")
    assert unchecked == FIELDS_OF_KNOWN_ADDRESSES


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["root@localhost", "a@[127.0.0.1]", "a@nas.local"])
def test_no_account_begins_with_such_an_address(maryam: Person, address: str) -> None:
    assert problem(maryam.sign_up(email=address), 400, "malformed")["errors"][0]["pointer"] == "#/email"
    with pytest.raises(CommandError, match=r"^email: "):
        call_command("createaccount", address, "Maryam")
    assert not Account.objects.exists()


@pytest.mark.django_db
def test_both_forms_of_a_domain_are_one_account(maryam: Person) -> None:
    maryam.email = "maryam@xn--mgbbuic.org"
    assert maryam.sign_up(email="Maryam@دربار.org").status_code == 202
    assert maryam.confirm().status_code == 200
    account = Account.objects.get()
    assert account.email == maryam.email
    for spelling in ("maryam@دربار.org", "MARYAM@xn--mgbbuic.ORG"):
        assert maryam.ask_for_token(email=spelling).status_code == 201
        forget_tries()
        assert maryam.sign_up(email=spelling, name="Another").status_code == 202
        assert email_addresses.owner_of(spelling) == account
        with pytest.raises(CommandError, match="already has an account"):
            call_command("createaccount", spelling, "Another")
    assert [notification.subject for notification in maryam.notifications()[1:]] == [
        "You have an account at Darbar"
    ] * 2
