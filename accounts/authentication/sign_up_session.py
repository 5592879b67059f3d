"""Sessions for allauth's flows, stored by email address.

API clients have no cookies, and allauth's middleware is for pages. So allauth's flows get the request together with
this session. It is stored in the cache, which all processes share, and only one request at a time may use it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final

from allauth.core.context import request_context
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpRequest

# Seconds.
_KEPT: Final = 60 * 60


class SignUpSession(dict[str, Any]):
    """The session of an address."""


@contextmanager
def sign_up_session(request: HttpRequest, email: str) -> Iterator[SignUpSession]:
    """Set ``request.session`` to the session of ``email``, in a transaction.

    Other requests for this address wait until it has ended. An exception undoes everything, so a failure that must be
    remembered, such as a wrong code, must leave the block first.
    """
    key = f"accounts:sign_up_session:{sha256(email.encode()).hexdigest()}"
    browser_session = getattr(request, "session", None)  # a request of the API has none
    with request_context(request), transaction.atomic():
        _lock(key)
        session = SignUpSession(cache.get(key, {}))
        request.session = session  # type: ignore[assignment]
        try:
            yield session
        finally:
            request.session = browser_session  # type: ignore[assignment]
        cache.set(key, dict(session), _KEPT)


def _lock(key: str) -> None:
    """Hold the lock named ``key`` until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])
