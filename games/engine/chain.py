"""The hash chain that makes a log tamper-evident, the list of a deal, and the public beacon.

Each line is a leaf, and each leaf is chained to those before it.

A leaf contains a nonce that is derived from the seed of the game. Without the nonce, a reader could try all possible
cards in microseconds and learn what a leaf hides. So a head can be published while the game runs, and binds the server
to every line up to it. Once the seed is known, anyone can compute the chain again.

The list of a deal is what a protected deal follows from, fixed before any promised seed is revealed. It names the game,
the server's commitment, the beacon and every seat with its seed, or with the promise of one. Its digest, the deal head,
is published before anything is revealed. A player whose program has checked the list and kept the head can prove that
no seed was chosen after theirs was known.

The public beacon is drand's network *quicknet* (https://docs.drand.love): random numbers that cannot be known before
their time and that anyone can check afterwards. Every three seconds its members sign the number of a round together. A
signature is a point of the first group of BLS12-381, 48 bytes, and ``pyblst`` checks it. The randomness of a round is
the SHA-256 of its signature.

All digests are SHA-256 of ASCII text. Parts are joined with ``|``, and digests are written in lower-case hexadecimal.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
import pyblst

_CANONICAL = msgspec.json.Encoder(order="sorted")


def canonical(line: Any) -> bytes:
    """Return a line of a log, or any JSON value in it, as canonical JSON (RFC 8785).

    Sorted members without white space are enough: logs contain no fractions and no member names beyond ASCII, for which
    the RFC has further rules.
    """
    return _CANONICAL.encode(line)


def commitment(game: str, seed: bytes) -> str:
    """Return the commitment to a seed, published before the game starts: the digest of ``darbar-2|game|seed``."""
    return hashlib.sha256(f"darbar-2|{game}|{seed.hex()}".encode()).hexdigest()


def seed_commitment(seed: str) -> str:
    """Return a player's commitment to their own seed: the digest of ``darbar-seed|seed``, seed in hexadecimal."""
    return hashlib.sha256(f"darbar-seed|{seed}".encode()).hexdigest()


def nonce(seed: bytes, number: int) -> bytes:
    """Return the nonce of line ``number``: HMAC-SHA-256 keyed with the game's seed over ``event|number``."""
    return hmac.digest(seed, f"event|{number}".encode(), "sha256")


def leaf(seed: bytes, number: int, content: bytes) -> bytes:
    """Return the leaf of line ``number``: the digest of ``nonce|number|content``, content as canonical bytes."""
    return hashlib.sha256(f"{nonce(seed, number).hex()}|{number}|".encode() + content).digest()


def start(commitment: str) -> bytes:
    """Return the head of an empty log: the digest of the commitment, so that each game has a chain of its own."""
    return hashlib.sha256(commitment.encode()).digest()


def link(head: bytes, added: bytes) -> bytes:
    """Return the head after one more leaf: the digest of ``head|leaf``."""
    return hashlib.sha256(f"{head.hex()}|{added.hex()}".encode()).digest()


def heads(seed: bytes, commitment: str, contents: Iterable[bytes]) -> list[bytes]:
    """Return the head after each line of a whole log. ``contents`` has the canonical bytes of the lines in order."""
    head = start(commitment)
    line_heads = []
    for number, content in enumerate(contents, start=1):
        head = link(head, leaf(seed, number, content))
        line_heads.append(head)
    return line_heads


class DealSeat(msgspec.Struct, frozen=True):
    """A seat in the list of the deal."""

    seat: int
    player: str
    """The id of the account in this game alone, in hexadecimal; blank for a bot."""
    seed: str
    """In hexadecimal; blank for a bot, and for a player who has promised one."""
    seed_commitment: str
    """The digest of the promised seed; blank if there is none."""


class DealList(msgspec.Struct, frozen=True):
    """Everything that a protected deal follows from."""

    game: str
    commitment: str
    """The server's own commitment."""
    key: str
    """The public key of the beacon that is awaited once all seeds are revealed; blank if there is none."""
    round: int | None
    """The round of the beacon; null until it is fixed."""
    seats: tuple[DealSeat, ...]


def deal_list(
    game: str,
    commitment: str,
    key: str,
    round: int | None,
    players: Sequence[str],
    seeds: Sequence[str],
    seed_commitments: Sequence[str],
) -> str:
    """Return the list of a deal as canonical JSON. ``players``, ``seeds`` and ``seed_commitments`` are in seat order.

    A promised seed is left out, also once it is revealed, so only the round of the beacon can change the list.
    """
    seats = tuple(
        DealSeat(seat, player, "" if promise else seed, promise)
        for seat, (player, seed, promise) in enumerate(zip(players, seeds, seed_commitments, strict=True), start=1)
    )
    return canonical(DealList(game, commitment, key, round, seats)).decode()


def deal_head(text: str) -> str:
    """Return the published digest of a list of the deal: that of ``darbar-deal|list``."""
    return hashlib.sha256(f"darbar-deal|{text}".encode()).hexdigest() if text else ""


QUICKNET: Final = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b"
    "0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
"""The public key of quicknet, in hexadecimal."""
FIRST_ROUND: Final = 1692803367
"""The time at which round 1 was published, in seconds of Unix time."""
PERIOD: Final = 3
"""Seconds from one round of the beacon to the next."""
LEAD: Final = 30
"""Seconds between the moment at which a round is fixed and the earliest at which it may be published."""
_DST: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_GENERATOR: Final = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260"
    "805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
"""The generator of the second group, in which public keys lie."""


def round_after(moment: float) -> int:
    """Return the first round that is published after ``moment``, in seconds of Unix time."""
    return int((moment - FIRST_ROUND) // PERIOD) + 2


def round_for(moment: float) -> int:
    """Return the round that a deal waits for whose list is fixed at ``moment``.

    ``LEAD`` lies between, so that programs, pages and emails have the list before anybody can know the round's number.
    """
    return round_after(moment + LEAD)


def published_at(round: int) -> int:
    """Return when a round is published, in seconds of Unix time."""
    return FIRST_ROUND + (round - 1) * PERIOD


def randomness(signature: str) -> bytes:
    """Return the 32 random bytes of a round. ``signature`` is in hexadecimal, as in the log."""
    return hashlib.sha256(bytes.fromhex(signature)).digest()


def is_signed(round: int, signature: str, key: str = QUICKNET) -> bool:
    """Return whether ``signature`` is the signature of ``round`` by the owner of ``key``. Both are in hexadecimal."""
    try:
        public, point = bytes.fromhex(key), pyblst.BlstP1Element.uncompress(bytes.fromhex(signature))
        one = pyblst.miller_loop(point, pyblst.BlstP2Element.uncompress(bytes.fromhex(_GENERATOR)))
        other = pyblst.miller_loop(hashed(round), pyblst.BlstP2Element.uncompress(public))
        return bool(pyblst.final_verify(one, other))
    except (ValueError, OverflowError):
        return False


def hashed(round: int) -> pyblst.BlstP1Element:
    """Return the point that is signed: the number of the round as eight bytes, hashed to the first group."""
    return pyblst.BlstP1Element.hash_to_group(hashlib.sha256(round.to_bytes(8, "big")).digest(), _DST)
