"""Keeps for an address what allauth keeps in a browser's session.

A program that proves who somebody is has no cookies.
So allauth's flows are given this stash as their session; it lives in the cache, where every process
sees it, and one request at a time holds it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final

from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpRequest

_KEPT: Final = 60 * 60
"""For how many seconds it is kept."""


class Stash(dict[str, Any]):
    """A session of an address."""


@contextmanager
def stash_for(request: HttpRequest, email: str) -> Iterator[Stash]:
    """Inside, ``request.session`` is the stash of ``email``, in a transaction.

    Others wait with theirs for this address until it has ended.
    An exception undoes all of it; a failure that is to be remembered, such as a wrong code, must leave
    the block first.
    """
    key = f"accounts:stash:{sha256(email.encode()).hexdigest()}"
    browsers_own = request.session
    with transaction.atomic():
        _wait_for(key)
        stash = Stash(cache.get(key, {}))
        request.session = stash  # type: ignore[assignment]
        try:
            yield stash
        finally:
            request.session = browsers_own
        cache.set(key, dict(stash), _KEPT)


def _wait_for(key: str) -> None:
    """Hold the lock named ``key`` until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])
