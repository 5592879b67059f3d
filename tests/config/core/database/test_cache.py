"""The cache table. Its keys do not reveal their subjects."""

import pytest
from django.core.cache import cache
from django.db import connection


@pytest.mark.django_db
@pytest.mark.parametrize("about", ["maryam@example.org", "two words\n", "x" * 2000])
def test_a_key_is_stored_as_a_hash_however_it_is_written(about: str) -> None:
    cache.set(f"code:{about}", "1234")
    assert cache.get(f"code:{about}") == "1234"
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        keys = "".join(key for (key,) in cursor.fetchall())
    assert about not in keys
    assert "code" not in keys
