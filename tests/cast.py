"""The cast: people whom the tests of several folders know."""

import pytest

from accounts.models import Account


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
