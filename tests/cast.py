"""The cast: the people in the tests of all folders."""

import pytest
from django.conf import settings
from django.test import Client

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL


@pytest.fixture
def maryam(db: None) -> Account:
    """Mostly the host of a table."""
    return Account.objects.create_user("maryam@example.org", name="Maryam", time_zone="Asia/Tehran")


@pytest.fixture
def sepideh(db: None) -> Account:
    """Reads Persian."""
    return Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa", time_zone="Asia/Tehran")


@pytest.fixture
def bahareh(db: None) -> Account:
    """Lives by other clocks."""
    return Account.objects.create_user("bahareh@example.org", name="Bahareh", time_zone="Europe/Berlin")


@pytest.fixture
def kaveh(db: None) -> Account:
    """Often a stranger or a spectator, who must see nothing that is not public."""
    return Account.objects.create_user("kaveh@example.org", name="Kaveh")


@pytest.fixture
def dariush(db: None) -> Account:
    """Often a further opponent or a stranger."""
    return Account.objects.create_user("dariush@example.org", name="Dariush")


def program(account: Account) -> Client:
    """A client with a token for everything that an account may do."""
    _, token_text = tokens.issue(account, "test", list(ALL))
    return Client(headers={"Authorization": f"Bearer {token_text}"})


def signed_in(account: Account) -> Client:
    """Return a client in which an account is signed in."""
    client = Client()
    client.force_login(account, settings.AUTHENTICATION_BACKENDS[0])
    return client
