"""Idempotency keys: a request has its effect once, no matter how often it is sent with the same key."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_noop

from accounts.models import Account, IdempotencyKey
from config.core.crypto import keyed_hashes
from config.core.database.sql import try_lock


class IdempotencyConflict(Exception):
    """The key of a request cannot be used; nothing has changed.

    ``code`` is ``key-busy`` while a request with this key is being processed, ``key-reused`` if the key belongs to
    a request with another address or body. ``sentence`` is the reason in English, for translation.
    """

    def __init__(self, code: Literal["key-busy", "key-reused"], sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True)
class Effect:
    """The effect of a request: the address of the new object, and the game to which it belongs."""

    location: str = ""
    game: UUID | None = None


@dataclass(frozen=True)
class Run:
    """The effect of a request, and the time of the first request if this one is a repetition."""

    location: str
    first_at: datetime | None = None


@dataclass(frozen=True)
class Request:
    """The sender, address, key and body of a request."""

    account: Account
    method: str
    path: str
    key: str
    body: bytes


def run_once(request: Request, effect: Callable[[], Effect], now: datetime) -> Run:
    """Run ``effect``, unless an earlier request with this key has run it. Raises IdempotencyConflict.

    The key is stored in the effect's own transaction. Without a key there is nothing to remember.
    """
    if not request.key:
        return Run(effect().location)
    with transaction.atomic():
        if not try_lock(f"{request.account.pk}\0{request.key}"):
            raise IdempotencyConflict(
                "key-busy", gettext_noop("The same request is still being processed. Send it again in a few seconds.")
            )
        earlier = IdempotencyKey.objects.filter(account=request.account, key=request.key).first()
        # A plain digest would let a thief of the database guess passwords and seeds that bodies hold.
        fingerprints = keyed_hashes("accounts.idempotency", request.body.hex())
        if earlier is None:
            result = effect()
            IdempotencyKey.objects.create(
                account=request.account,
                method=request.method,
                path=request.path,
                key=request.key,
                fingerprint=fingerprints[0],
                location=result.location,
                game=result.game,
                created_at=now,
            )
            return Run(result.location)
        is_same_address = (earlier.method, earlier.path) == (request.method, request.path)
        stored = bytes(earlier.fingerprint)
        if not (is_same_address and any(constant_time_compare(stored, fingerprint) for fingerprint in fingerprints)):
            raise IdempotencyConflict(
                "key-reused", gettext_noop("This Idempotency-Key was used for another request. Choose a new one.")
            )
        return Run(earlier.location, earlier.created_at)
