"""The club of the cast."""

import pytest

from accounts.models import Account
from tests.games.clubs.club_cast import Cast, founded


@pytest.fixture
def cast(maryam: Account, sepideh: Account, bahareh: Account, dariush: Account) -> Cast:
    return founded(maryam, sepideh, bahareh, dariush)
