"""Tests of emails that were damaged in transit.

Reading always ends in a value, in a short time. If the damage spares the sender's line, it can only remove the command
and never put another one in its place.
"""

import time
from functools import cache
from typing import Final

import pytest

from games.mail.commands import Command, InvitationReply, NotUnderstood, Resign
from notifications.mail_parsing.parser import Automatic, SenderText, read
from tests.games.mail.make_corpus import CORPUS
from tests.games.mail.mutations import mutated, own_spans
from tests.games.mail.tables import ADDRESSES, READERS
from tests.games.mail.test_corpus import HONEST
from tests.long import SCALE

pytestmark = pytest.mark.long

SLOWEST: Final = 5.0


def understood(raw: bytes, question: str) -> Command | None:
    """Return the command of an email, or None if its sender is not asked back either."""
    content = read(raw, ADDRESSES).content
    return None if isinstance(content, Automatic) else READERS[question](content)


@cache
def originals() -> list[tuple[str, str, bytes]]:
    """The honest mails: their writers' first lines, the questions and the bytes."""
    emails = []
    for file, question, _ in HONEST:
        raw = file.read_bytes()
        content = read(raw, ADDRESSES).content
        assert isinstance(content, SenderText)
        emails.append((content.versions[0][0], question, raw))
    return emails


@pytest.mark.parametrize("batch", range(10))
def test_damage_round_what_was_written_never_makes_it_another_command(batch: int) -> None:
    for seed in range(batch * 25 * SCALE, (batch + 1) * 25 * SCALE):
        answer_text, question, raw = originals()[seed * 7 % len(originals())]
        meaning = understood(raw, question)
        damaged = understood(mutated(seed, raw, own_spans(raw, answer_text)), question)
        assert damaged is None or isinstance(damaged, NotUnderstood) or damaged == meaning, seed


@pytest.mark.parametrize("batch", range(10))
def test_damage_anywhere_ends_in_a_value_and_makes_nobody_resign(batch: int) -> None:
    for seed in range(batch * 20 * SCALE, (batch + 1) * 20 * SCALE):
        _, question, raw = originals()[seed * 11 % len(originals())]
        meaning = understood(raw, question)
        began = time.thread_time()
        damaged = understood(mutated(1_000_000 + seed, raw, [], most=12), question)
        assert time.thread_time() - began < SLOWEST, seed
        assert damaged == meaning or damaged not in (Resign(sure=True), InvitationReply("never")), seed


@pytest.mark.parametrize("batch", range(5))
def test_damage_to_a_hostile_mail_ends_in_a_value(batch: int) -> None:
    files = sorted((CORPUS / "hostile").glob("*.eml"))
    for seed in range(batch * 10 * SCALE, (batch + 1) * 10 * SCALE):
        raw = files[seed * 13 % len(files)].read_bytes()
        began = time.thread_time()
        understood(mutated(2_000_000 + seed, raw, [], most=12), "turn")
        assert time.thread_time() - began < SLOWEST, seed
