"""Emails as different people would write them, in both languages; and emails that must not make a move.

``people/`` has a file for each kind. An entry begins with ``@``, the question it answers and the expected result:
``asked`` where its writer is asked back. ``server`` stands for the server's own address. A text that begins with
``Content-Type:`` has headers of its own, and one to ``<reply>`` has all headers. The emails of ``hostile.txt`` and
``impostor.txt`` move nothing.
"""

from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path

import pytest

from games.engine import ScriptedChance, SeatNumber
from games.engine.reading import fold
from games.mail.commands import Command
from games.mail.mailbox_commands import AccountCommand, Unclear, read_titles
from games.mail.mailbox_reader import read_account_command
from games.mail.reading.command_reader import ChatWith, read_command
from games.mail.reading.offered_moves import resembles_move
from games.mail.reading.reply_readers import read_digest_reply
from games.terms import USUAL
from notifications.mail_parsing.parser import Content, SenderText, read
from tests.games.mail.letters import ADDRESS, DOMAIN, PLAYER, SERVER, TOKEN
from tests.games.mail.tables import ADDRESSES, COUP, NAMES, READERS, TURN, WINDOW, QuestionCase, command_text
from tests.games.mail.tables import outcome as outcome_at_table

PEOPLE = Path(__file__).parent / "people"


def after(case: QuestionCase, seat: int, line: str, *draws: str) -> QuestionCase:
    """The question that follows from an answer."""
    move = next(question for question in case.rules.questions(case.state) if question.seat == seat)
    parsed = case.rules.parse(case.state, move, line, {})
    events = case.rules.decide(case.state, SeatNumber(seat), parsed, ScriptedChance([*draws]))
    return QuestionCase(case.rules, case.seats, (*case.log, *events))


TAXED = after(TURN, 1, "tax")
CHALLENGED = after(TAXED, 2, "challenge")
EXCHANGED = after(TURN, 1, "exchange")
for other in (2, 3):
    EXCHANGED = after(EXCHANGED, other, "allow")
RICH = TURN
for turn in range(20):
    RICH = after(RICH, 1 + turn % 4, "income")
QUESTIONS = {
    "rich": RICH,
    "keep": after(EXCHANGED, 4, "allow", "ambassador", "captain"),
    "aid": after(TURN, 1, "foreign-aid"),
    "proof": CHALLENGED,
    "loss": after(CHALLENGED, 1, "prove", "assassin"),
}
HOSTILE = ("hostile", "impostor")
HARMLESS = ("refused", "automatic", "stranger")
CODES = ("VED4", "K7QT")
HONEST = ("honest", "stranger", "newcomer", "visitor", "neighbour", "traveller", "correspondent", "phone")
MOST_ASKED_BACK = 160
"""151 are asked back today. A few more may be."""


def read_chat(content: Content) -> Command:
    """Read a reply to an email about the chat."""
    names = {fold(name): seat for seat, name in NAMES.items()}
    resembles = partial(resembles_move, COUP, names)
    return read_command(content, TURN.try_line, names, NAMES, TURN.try_plan, resembles, ChatWith(None))


READ_BY = {**READERS, **{name: case.read for name, case in QUESTIONS.items()}, "window": WINDOW.read, "chat": read_chat}


def entries(name: str) -> Iterator[tuple[str, str, str]]:
    """Return the emails of a file: the question, the expected outcome and the text."""
    for entry in (PEOPLE / f"{name}.txt").read_text(encoding="utf-8").split("\n@"):
        head, _, text = entry.removeprefix("@").partition("\n")
        question, _, meaning = head.partition(" ")
        yield question, meaning, text.rstrip("\n")


def understood(question: str, text: str) -> str:
    """Return the command that is read in an email with this text."""
    if "\nTo: Darbar <reply>" in text:
        return outcome_at_table(text.replace("<reply>", f"<{ADDRESS}>").encode(), question)
    head = f"From: Maryam <{PLAYER}>\nTo: {TOKEN}@{DOMAIN}\nSubject: Re: Coup VED4\nMessage-ID: <1@example.org>\n"
    kind = "" if text.startswith("Content-Type:") else "Content-Type: text/plain; charset=utf-8\n\n"
    reply = read(f"{head}MIME-Version: 1.0\n{kind}{text}\n".encode(), ADDRESSES, server=SERVER)
    if question == "digest":
        lines = read_digest_reply(reply.content, CODES)
        return "; ".join(f"{code} {line}" for code, line in lines.items()) or "refused digest"
    if question == "server":
        return account_command_text(read_account_command(reply.content, read_titles()))
    return command_text(READ_BY[question](reply.content))


def account_command_text(command: AccountCommand | Unclear | None) -> str:
    """Return the name of a command to the server's own address, and its values that are not the usual ones."""
    if command is None or isinstance(command, Unclear):
        return "refused"
    values = [
        value for field in fields(command) if (value := getattr(command, field.name)) not in (field.default, USUAL, ())
    ]
    words = [str(word) for value in values for word in (value if isinstance(value, tuple) else (value,))]
    return " ".join([type(command).__name__, *words])


def misread(name: str) -> list[str]:
    """Return the emails of a file that are not understood as intended."""
    faults = []
    for question, meaning, text in entries(name):
        outcome = understood(question, text)
        if outcome.startswith("refused") if meaning == "asked" else fold(outcome) == fold(meaning):
            continue
        faults.append(f"{question}: {text!r} is {outcome}, not {meaning}")
    return faults


@pytest.mark.parametrize("name", HONEST)
def test_what_people_write_is_understood_or_asked_back(name: str) -> None:
    assert misread(name) == []


def test_few_emails_are_asked_back() -> None:
    asked_back = sum(meaning == "asked" for name in HONEST for _, meaning, _ in entries(name))
    assert asked_back <= MOST_ASKED_BACK


def test_what_only_looks_like_an_answer_moves_nothing() -> None:
    moved = [
        (text, outcome)
        for name in HOSTILE
        for question, meaning, text in entries(name)
        for outcome in outcomes(question, text)
        if not outcome.startswith(HARMLESS) and outcome != meaning
    ]
    assert moved == []


def outcomes(question: str, text: str) -> list[str]:
    """Return the effect of an email in the game or at the table. For a digest, its effect in each game."""
    outcome = understood(question, text)
    if question != "digest" or outcome.startswith("refused"):
        return [outcome]
    lines = [line.partition(" ")[2] for line in outcome.split("; ")]
    return [command_text(TURN.read(SenderText(((line,),)))) for line in lines]
