"""Time stamps: once a day an external authority (RFC 3161) stamps the newest heads of all games.

The heads are the leaves of a Merkle tree. Only its root is sent, so the authority learns nothing, and one request is
enough for all games. The leaf of a head is SHA-256 of ``darbar-stamp|game|head``, an inner node SHA-256 of
``left|right``. A node without a partner moves up one level unchanged. All digests are lower-case hexadecimal. A path
contains the siblings of a leaf up to the root, each with its side.
"""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from cryptography.x509 import Certificate
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from rfc3161_client import (
    HashAlgorithm,
    PKIStatus,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from games.models import Game, StampedHead, TimeStamp
from notifications.outgoing import OutgoingRequest, Unreachable, send

logger = logging.getLogger(__name__)

APART: Final = timedelta(hours=23)
"""The interval between two stamps. The clock asks every hour."""
LONGEST: Final = 1 << 16
"""The highest number of bytes in a response, which contains the authority's certificates."""
_STAMPED: Final = (Game.State.STARTING, Game.State.RUNNING, Game.State.OVER)
_HEADERS: Final = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}


def stamp_heads(now: datetime) -> TimeStamp | None:
    """Request a stamp for the newest heads without one. Return None if it is not due, or if the request failed."""
    if not settings.TIMESTAMP_URL or TimeStamp.objects.filter(at__gt=now - APART).exists():
        return None
    heads = _new_heads()
    if not heads:
        return None
    root, paths = tree([leaf(str(game), head.hex()) for game, head in heads])
    response = _ask(root)
    if response is None:
        return None
    with transaction.atomic():
        stamp = TimeStamp.objects.create(root=root, response=response.as_bytes(), at=response.tst_info.gen_time)
        StampedHead.objects.bulk_create(
            StampedHead(game_id=game, stamp=stamp, head=head, path=path)
            for (game, head), path in zip(heads, paths, strict=True)
        )
    return stamp


def _new_heads() -> list[tuple[UUID, bytes]]:
    """Return the newest published head of each game that has not been stamped."""
    stamped = StampedHead.objects.filter(game=OuterRef("pk"), head=OuterRef("public_head"))
    games = Game.objects.filter(~Exists(stamped), state__in=_STAMPED).exclude(public_head=b"").order_by("pk")
    return [(game, bytes(head)) for game, head in games.values_list("pk", "public_head")]


def _ask(root: str) -> TimeStampResponse | None:
    """Return the stamp of the first authority that stamps this root, or None."""
    builder = TimestampRequestBuilder().data(root.encode()).hash_algorithm(HashAlgorithm.SHA256)
    query = builder.nonce().cert_request(cert_request=True).build()
    for url in settings.TIMESTAMP_URL:
        try:
            answer = send(OutgoingRequest(url, query.as_bytes(), _HEADERS), most_read=LONGEST)
            problems = list(faults(root, answer.body)) if answer.is_accepted else [f"it answers {answer.status}"]
        except Unreachable as error:
            problems = [str(error)]
        if not problems:
            return decode_timestamp_response(answer.body)
        logger.warning("the authority %s has not stamped the heads: %s", url, problems[0])
    return None


def faults(root: str, response: bytes, authorities: Sequence[Certificate] | None = None) -> Iterator[str]:
    """Yield the reasons why a response does not stamp this root.

    ``authorities`` are the trusted certificates, by default those of the settings. Without any, the signature is not
    checked.
    """
    believed = settings.TIMESTAMP_AUTHORITIES if authorities is None else authorities
    try:
        stamped = decode_timestamp_response(response)
        if stamped.status not in (PKIStatus.GRANTED, PKIStatus.GRANTED_WITH_MODS):
            yield f"the authority refuses, with status {stamped.status}"
        elif stamped.tst_info.message_imprint.message != hashlib.sha256(root.encode()).digest():
            yield "what was stamped is something else"
        elif believed:
            VerifierBuilder(roots=list(believed)).build().verify_message(stamped, root.encode())
    except (ValueError, VerificationError) as error:
        yield f"the stamp cannot be believed: {error}"


def faults_of_game(game: Game, published: Sequence[bytes]) -> Iterator[str]:
    """Yield the faults of a game's stamped heads. ``published`` are the heads that the game had."""
    for stamped in StampedHead.objects.filter(game=game).select_related("stamp").order_by("stamp__at"):
        at, root = f"the time stamp of {stamped.stamp.at:%Y-%m-%d %H:%M:%S}", stamped.stamp.root
        if bytes(stamped.head) not in published:
            yield f"{at} is of a head that is not of this log"
        elif root_of(leaf(str(game.pk), bytes(stamped.head).hex()), stamped.path) != root:
            yield f"{at} does not lead from the head to what was stamped"
        else:
            yield from (f"{at}: {fault}" for fault in faults(root, bytes(stamped.stamp.response)))


def stamps_of(game: Game) -> list[tuple[str, list[str], bytes]]:
    """Return the stamped heads of a game by time, each with its path and the response."""
    rows = StampedHead.objects.filter(game=game).annotate(response=F("stamp__response")).order_by("stamp__at", "pk")
    return [(bytes(row.head).hex(), row.path, bytes(row.response)) for row in rows]


def keep(game: Game, head: str, path: Sequence[str], response: bytes) -> None:
    """Store a stamped head that came with a record. Raises ValueError if it is invalid."""
    root = root_of(leaf(str(game.pk), head), path)
    at = decode_timestamp_response(response).tst_info.gen_time
    stamp, _ = TimeStamp.objects.get_or_create(root=root, defaults={"response": response, "at": at})
    StampedHead.objects.create(game=game, stamp=stamp, head=bytes.fromhex(head), path=list(path))


Path = tuple[str, ...]
"""For example ``("right 5f0c…", "left 91ab…")``."""


def leaf(game: str, head: str) -> str:
    """Return the leaf of a game's head."""
    return _digest(f"darbar-stamp|{game}|{head}")


def tree(leaves: Sequence[str]) -> tuple[str, list[Path]]:
    """Return the root over these leaves, and the path of each. ``leaves`` must not be empty."""
    paths: list[Path] = [()] * len(leaves)
    level = [(digest, [place]) for place, digest in enumerate(leaves)]
    while len(level) > 1:
        above = []
        for (left, on_left), (right, on_right) in zip(level[::2], level[1::2], strict=False):
            for place in on_left:
                paths[place] = (*paths[place], f"right {right}")
            for place in on_right:
                paths[place] = (*paths[place], f"left {left}")
            above.append((_digest(f"{left}|{right}"), on_left + on_right))
        level = above + level[len(above) * 2 :]
    return level[0][0], paths


def root_of(node: str, path: Sequence[str]) -> str:
    """Return the root to which a path leads. Raises ValueError for an invalid path."""
    for step in path:
        side, _, sibling = step.partition(" ")
        if side not in ("left", "right"):
            raise ValueError(f"a step of a path goes left or right, not {step!r}")
        node = _digest(f"{sibling}|{node}" if side == "left" else f"{node}|{sibling}")
    return node


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
