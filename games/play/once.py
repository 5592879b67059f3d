"""One effect for one idempotency key, however often the request is made."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from accounts.models import Account
from games.engine import Phrase, gettext_noop
from games.models import IdempotencyKey
from games.play.refusals import Refusal


@dataclass(frozen=True)
class Effect:
    """What a request made: where its present state is read, and the game it belongs to."""

    location: str
    game: UUID | None = None


@dataclass(frozen=True)
class Request:
    """What makes two requests the same: who, what, and the key; with another ``body`` it is a mistake."""

    account: Account
    method: str
    path: str
    key: str
    body: bytes


def once(request: Request, effect: Callable[[], Effect], now: datetime) -> str:
    """Have ``effect``, unless this request has had it before; gives the location of what it made.

    The key is stored in the effect's own transaction. Without a key there is nothing to remember. Refusal
    ``conflict`` where the same request is at work just now, ``key-reused`` where its body was another.
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
                **_scope(request), fingerprint=fingerprint, location=made.location, game_id=made.game, created_at=now
            )
            return made.location
        if bytes(known.fingerprint) != fingerprint:
            raise Refusal("key-reused", Phrase(gettext_noop("This idempotency key was used for another request.")))
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
            raise Refusal("conflict", Phrase(gettext_noop("The same request is being worked on just now.")))
