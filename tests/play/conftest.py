"""The cast, and one more for larger tables."""

import pytest

from accounts.models import Account
from tests.cast import bahareh, maryam, sepideh

__all__ = ["bahareh", "maryam", "sepideh"]


@pytest.fixture
def dariush(db: None) -> Account:
    return Account.objects.create_user("dariush@example.org", name="Dariush")
