"""A quick hasher, nothing tried yet, and two people."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from tests.accounts.people import CountingHasher, Person, forget_tries


@pytest.fixture(autouse=True)
def _surroundings(db: None, settings: Any) -> Iterator[None]:
    settings.PASSWORD_HASHERS = [f"{CountingHasher.__module__}.{CountingHasher.__qualname__}"]
    forget_tries()
    CountingHasher.hashed.clear()
    with translation.override("en"):
        yield


@pytest.fixture
def maryam() -> Person:
    return Person("Maryam")


@pytest.fixture
def kaveh() -> Person:
    return Person("Kaveh")
