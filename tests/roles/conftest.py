"""One scene for all: nothing of what is asked stays."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.roles.scene import Scene, build


@pytest.fixture(scope="package")
def _whole_scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    quick = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
    with quick, django_db_blocker.unblock(), transaction.atomic():
        cache.clear()
        yield build()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def scene(_whole_scene: Any) -> Scene:
    """Everybody in their place."""
    found: Scene = _whole_scene
    return found
