"""The player's guide: all that it says can be written is understood."""

import re
from functools import partial
from pathlib import Path

import pytest

from games.engine.reading import names_to_read
from games.mail.commands import NotUnderstood
from games.mail.mailbox_commands import read_titles
from games.mail.mailbox_reader import read_command_line
from games.mail.reading.command_reader import read_command
from games.mail.reading.offered_moves import OfferedMoves, resembles_move
from games.rules.coup import RULES
from notifications.mail_parsing.parser import SenderText
from tests.games.rules.coup.table import Table

GUIDE = Path(__file__).parents[3] / "docs" / "site"
NAMES = {1: "Maryam", 2: "Sepideh", 3: "Ali"}
TO_SERVER = {"en": "you write to the server", "fa": "به سرور می‌نویسید"}
PERSIAN_NAMES = {1: "مریم", 2: "سپیده", 3: "علی"}
DEAL = ["duke assassin", "contessa captain", "duke captain"]


def commands_in_page(language: str, page: str) -> dict[bool, list[str]]:
    """Return the first column of each table: texts for a reply, and (True) for the server's address."""
    text = (GUIDE / language / "play" / page).read_text()
    lines: dict[bool, list[str]] = {False: [], True: []}
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        cells = re.findall(r"^\| (`.*?) \|", table, re.M)
        lines[TO_SERVER[language] in table] += [command for cell in cells for command in re.findall(r"`([^`]+)`", cell)]
    return lines


def understood(line: str, language: str) -> bool:
    """Return whether a line is a command or an answer to one of the questions of a game of three."""
    names = PERSIAN_NAMES if language == "fa" else NAMES
    readable = names_to_read(names)
    resembles = partial(resembles_move, RULES, readable)
    for table in (Table(3, DEAL), Table(3, DEAL).play("1 foreign-aid"), Table(3, DEAL).play("1 steal 2")):
        for question in RULES.questions(table.state):
            offered = OfferedMoves(RULES, table.state, question, names)
            view = RULES.view(table.state, question.seat)

            def plan(text: str, view=view, seat=question.seat):
                return RULES.plans.parse(view, seat, text, readable)

            command = read_command(SenderText(((line,),)), offered.read, readable, names, plan, resembles)
            if not isinstance(command, NotUnderstood):
                return True
    return False


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("page", ["email.md", "ahead.md"])
def test_what_the_guide_says_can_be_written_is_understood(language: str, page: str) -> None:
    lines = commands_in_page(language, page)[False]
    assert len(lines) > 5
    assert [line for line in lines if not understood(line, language)] == []


@pytest.mark.parametrize("language", ["en", "fa"])
def test_what_the_guide_says_can_be_written_to_the_server_is_understood(language: str) -> None:
    lines = commands_in_page(language, "email.md")[True]
    assert len(lines) > 7
    assert [line for line in lines if read_command_line(line, read_titles()) is None] == []
