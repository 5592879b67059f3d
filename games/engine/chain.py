"""A log that shows whether it was touched: each line a leaf, each leaf chained to those before it.

A leaf hides what it holds behind a nonce that follows from the game's seed: the few cards that can have been drawn
are tried in microseconds, a key of 256 bits never. So a head may be published while the game runs, and binds the
server to every line up to it; once the seed is known anybody can make the chain again.

All digests are SHA-256. What is digested is ASCII text joined with ``|``, digests as lower-case hexadecimal.
"""

import hashlib
import hmac
from collections.abc import Iterable
from typing import Any

import msgspec

_CANONICAL = msgspec.json.Encoder(order="sorted")


def canonical(line: Any) -> bytes:
    """A line of a log, or any JSON value of it, as the bytes that are digested: RFC 8785.

    Members are sorted and nothing stands between them. Logs hold no fractions and no names of members beyond ASCII,
    for which the RFC says more.
    """
    return _CANONICAL.encode(line)


def commitment(game: str, seed: bytes) -> str:
    """Return what is published of a seed before the game with this id: the digest of ``darbar-2|game|seed``."""
    return hashlib.sha256(f"darbar-2|{game}|{seed.hex()}".encode()).hexdigest()


def seed_commitment(seed: str) -> str:
    """Return what a player tells of their seed before the last seat is taken: the digest of ``darbar-seed|seed``.

    ``seed`` is in hexadecimal.
    """
    return hashlib.sha256(f"darbar-seed|{seed}".encode()).hexdigest()


def nonce(seed: bytes, number: int) -> bytes:
    """Return what hides line ``number``: HMAC-SHA-256 by the game's seed over ``event|number``."""
    return hmac.digest(seed, f"event|{number}".encode(), "sha256")


def leaf(seed: bytes, number: int, content: bytes) -> bytes:
    """The leaf of line ``number``: the digest of ``nonce|number|content``, its content in canonical bytes."""
    return hashlib.sha256(f"{nonce(seed, number).hex()}|{number}|".encode() + content).digest()


def start(commitment: str) -> bytes:
    """The head of an empty log: the digest of ``commitment``, so that no game's chain fits another's."""
    return hashlib.sha256(commitment.encode()).digest()


def link(head: bytes, added: bytes) -> bytes:
    """The head after one more leaf: the digest of ``head|leaf``."""
    return hashlib.sha256(f"{head.hex()}|{added.hex()}".encode()).digest()


def heads(seed: bytes, commitment: str, contents: Iterable[bytes]) -> list[bytes]:
    """The head after each line of a whole log, given as canonical bytes in order."""
    head = start(commitment)
    found = []
    for number, content in enumerate(contents, start=1):
        head = link(head, leaf(seed, number, content))
        found.append(head)
    return found
