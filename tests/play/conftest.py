"""The cast: three who sit at the table."""

import pytest

from accounts.models import Account


@pytest.fixture
def maryam(db: None) -> Account:
    return Account.objects.create_user("maryam@example.org", name="Maryam", time_zone="Asia/Tehran")


@pytest.fixture
def sepideh(db: None) -> Account:
    return Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa", time_zone="Asia/Tehran")


@pytest.fixture
def bahareh(db: None) -> Account:
    return Account.objects.create_user("bahareh@example.org", name="Bahareh", time_zone="Europe/Berlin")


@pytest.fixture
def dariush(db: None) -> Account:
    return Account.objects.create_user("dariush@example.org", name="Dariush")
