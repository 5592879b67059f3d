"""One effect for one idempotency key, however often the request is made."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import connection, transaction
from django.utils.translation import gettext_noop

from accounts.models import Account, IdempotencyKey


class IdempotencyConflict(Exception):
    """A request whose key cannot be used; nothing has changed.

    ``code`` is ``conflict`` where the same request is at work just now, ``key-reused`` where its body was another;
    ``sentence`` says it in English, for translation.
    """

    def __init__(self, code: Literal["conflict", "key-reused"], sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True)
class Effect:
    """The effect of a request: where its present state is read, and the game it belongs to."""

    location: str
    game: UUID | None = None


@dataclass(frozen=True)
class Request:
    """The identity of a request: who, what, and the key; with another ``body`` it is a mistake."""

    account: Account
    method: str
    path: str
    key: str
    body: bytes


def run_once(request: Request, effect: Callable[[], Effect], now: datetime) -> str:
    """Run ``effect``, unless this request has had it before; return the location of what it made. IdempotencyConflict.

    The key is stored in the effect's own transaction. Without a key there is nothing to remember.
    """
    if not request.key:
        return effect().location
    with transaction.atomic():
        _lock(request)
        known = IdempotencyKey.objects.filter(**_scope(request)).first()
        fingerprint = hashlib.sha256(request.body).digest()
        if known is None:
            made = effect()
            IdempotencyKey.objects.create(
                **_scope(request), fingerprint=fingerprint, location=made.location, game=made.game, created_at=now
            )
            return made.location
        if bytes(known.fingerprint) != fingerprint:
            raise IdempotencyConflict(
                "key-reused", gettext_noop("This Idempotency-Key was used for another request. Choose a new one.")
            )
        return known.location


def _scope(request: Request) -> dict[str, object]:
    return {"account": request.account, "method": request.method, "path": request.path, "key": request.key}


def _lock(request: Request) -> None:
    """Keep every other request with this key out until the end of the transaction."""
    name = "\0".join((str(request.account.pk), request.method, request.path, request.key)).encode()
    number = int.from_bytes(hashlib.sha256(name).digest()[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        if not cursor.fetchone()[0]:
            raise IdempotencyConflict(
                "conflict", gettext_noop("The same request is still being processed. Send it again in a few seconds.")
            )
