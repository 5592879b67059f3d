"""Replies of people's mail programs are understood, and nothing moves that must not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from games.engine.reading import fold
from notifications.mail_parsing.parser import read
from tests.examples import for_each
from tests.games.mail.letters import HEADERS, INTRODUCTIONS, PLAYER, SERVER, TOKEN
from tests.games.mail.make_corpus import CONTENTS, CORPUS, SHAPES, SIGNATURES, Shape, answered, honest
from tests.games.mail.tables import ADDRESSES, outcome
from tests.long import LONG

Row = tuple[Path, str, str]


def rows(folder: str) -> list[Row]:
    """Return the index of a part of the corpus: file, answered question and expected outcome."""
    lines = (CORPUS / folder / "index.tsv").read_text(encoding="utf-8").splitlines()
    parts = (line.split("\t") for line in lines)
    return [(CORPUS / folder / name, question, meaning) for name, question, meaning in parts]


HONEST = rows("honest")
HOSTILE = rows("hostile")


@for_each("file, question, meaning", HONEST)
def test_an_honest_reply_is_understood(file: Path, question: str, meaning: str) -> None:
    assert fold(outcome(file.read_bytes(), question)) == fold(meaning)


@for_each("file, question, meaning", HOSTILE)
def test_a_hostile_mail_moves_nothing(file: Path, question: str, meaning: str) -> None:
    assert meaning.startswith(("automatic ", "refused ", "stranger", "no such token"))
    assert outcome(file.read_bytes(), question) == meaning


def test_the_fields_of_every_honest_reply_are_read() -> None:
    identities = set()
    for file, _, _ in HONEST:
        reply = read(file.read_bytes(), ADDRESSES, server=SERVER)
        identities.add(reply.identity)
        assert (reply.sender, reply.tokens, reply.authentication) == (PLAYER, (TOKEN,), "pass"), file.name
        assert reply.message_id.startswith("<"), file.name
    assert len(identities) == len(HONEST), "two replies are taken for one"


def test_the_corpus_is_as_large_and_as_wide_as_promised() -> None:
    assert len(HONEST) >= 120
    assert len(HOSTILE) >= 100
    assert len({meaning for _, _, meaning in HONEST}) > 20
    languages = {language for introduction in INTRODUCTIONS.values() for language in introduction} | set(HEADERS)
    assert {"en", "de", "fr", "es", "it", "pl", "ru", "tr", "ja", "fa", "ar", "he"} <= languages


def test_the_honest_replies_are_those_that_the_script_makes() -> None:
    generated = {name: raw for name, _, _, raw in honest()}
    stored_emails = {file.stem: file.read_bytes() for file, _, _ in HONEST}
    assert generated.keys() == stored_emails.keys()
    assert [name for name in generated if generated[name] != stored_emails[name]] == []


def test_every_hostile_email_is_in_the_index() -> None:
    assert {file for file, _, _ in HOSTILE} == {*(CORPUS / "hostile").glob("*.eml")}


def crossed(shape: Shape, step: int, offset: int, marked: bool) -> Iterator[tuple[str, str, str, bytes]]:
    """Every ``step``-th content in every language and position of a shape."""
    number = offset
    for language in shape.languages:
        for position in shape.positions:
            for question, lines in CONTENTS.items():
                for answer_text, meaning in lines:
                    number += 1
                    if number % step == 0:
                        signature = SIGNATURES[number // step % len(SIGNATURES)]
                        answer = answered(shape, language, question, answer_text, position, signature, number % 1000)
                        answer = replace(answer, sent=replace(answer.sent, marked=marked))
                        yield f"{language} {position} {answer_text!r}", question, meaning, shape.make(answer)


def misread(shape: Shape, step: int, offset: int, marked: bool = True) -> tuple[int, list[str], list[str]]:
    """Return how many replies were read, and which of them not, and which wrongly."""
    refused, wrong, total = [], [], 0
    for name, question, meaning, raw in crossed(shape, step, offset, marked):
        total += 1
        understood = outcome(raw, question)
        if understood.startswith("refused"):
            refused.append(f"{name}: {understood}")
        elif fold(understood) != fold(meaning):
            wrong.append(f"{name}: {understood}")
    return total, refused, wrong


@pytest.mark.long
@pytest.mark.parametrize("name", SHAPES)
def test_every_program_can_say_everything_in_every_language_it_knows(name: str) -> None:
    total, refused, wrong = misread(SHAPES[name], step=1 if LONG else 51, offset=len(name))
    assert total
    assert wrong == []
    assert len(refused) <= total * 0.01, refused


@pytest.mark.long
@pytest.mark.parametrize("name", SHAPES)
def test_a_quotation_that_has_lost_our_marker_line_is_told_all_the_same(name: str) -> None:
    total, refused, wrong = misread(SHAPES[name], step=3 if LONG else 51, offset=len(name), marked=False)
    assert total
    assert (refused, wrong) == ([], [])


def test_a_reply_means_the_same_with_the_line_ends_of_the_wire() -> None:
    for file, question, meaning in HONEST:
        raw = file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        assert fold(outcome(raw, question)) == fold(meaning), file.name
