"""The scene in which everything is asked."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.games.unseen import world
from tests.roles.scene import Scene, build


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """The accounts, games and objects for all tests of a module. Requests leave no traces in them."""
    quick = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
    with quick, django_db_blocker.unblock(), world():
        cache.clear()
        yield build()
