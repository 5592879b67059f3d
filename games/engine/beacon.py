"""The public beacon: random numbers that cannot be known before their time and that anyone can check afterwards.

The beacon is drand's network *quicknet* (https://docs.drand.love). Every three seconds its members sign the number of
a round together. A signature is a point of the first group of BLS12-381, 48 bytes, and ``pyblst`` checks it. The
randomness of a round is the SHA-256 of its signature.
"""

import hashlib
from typing import Final

import pyblst

QUICKNET: Final = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b"
    "0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
"""The public key of quicknet, in hexadecimal."""
FIRST_ROUND: Final = 1692803367
"""The time at which round 1 was published, in seconds of Unix time."""
PERIOD: Final = 3
"""Seconds from one round to the next."""
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
