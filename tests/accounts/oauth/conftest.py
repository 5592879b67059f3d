"""Maryam, who agrees; Kaveh, who made the app; an empty cache."""

import pytest
from django.core.cache import cache

from accounts.models import Account
from tests.accounts.oauth.app import App, app_of
from tests.cast import kaveh, maryam
from tests.third_game.table import with_fist

__all__ = ["kaveh", "maryam", "with_fist"]


@pytest.fixture(autouse=True)
def _surroundings(db: None) -> None:
    cache.clear()


@pytest.fixture
def app(kaveh: Account) -> App:
    return app_of(kaveh)
