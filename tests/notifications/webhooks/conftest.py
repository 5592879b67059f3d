"""The cast with programs."""

import pytest

from accounts.models import Account


@pytest.fixture
def maryam(db: None) -> Account:
    return Account.objects.create_user("maryam@example.org", name="Maryam")


@pytest.fixture
def sepideh(db: None) -> Account:
    return Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa")


@pytest.fixture
def kaveh(db: None) -> Account:
    """A stranger."""
    return Account.objects.create_user("kaveh@example.org", name="Kaveh")
