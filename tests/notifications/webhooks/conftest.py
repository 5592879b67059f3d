"""The cast with programs, and a receiver of webhooks."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import Account
from tests.notifications.outgoing.receiver import Receiver, receiving


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


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A server on this machine, which may be posted to."""
    settings.OUTGOING_LOOPBACK = True
    with receiving() as server:
        yield server
