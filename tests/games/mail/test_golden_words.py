"""The whole games by mail, read as their players read them: what each email must say, and must not."""

import re
from typing import NamedTuple

import pytest

from tests.games.mail.test_golden_games import GOLDEN

PLAYERS = {"en": {"host": "Maryam", "guest": "Kaveh"}, "fa": {"host": "سپیده", "guest": "مینا"}}
MARKER = {"en": "##- Reply above this line -##", "fa": "##- بالای این خط پاسخ دهید -##"}
WON = {"en": ("You won Coup", "Maryam won Coup"), "fa": ("شدید", "شد")}
WON_IN_STORY = {"en": re.compile(r"\b(?:won|win)\b"), "fa": re.compile("بازی را برد|برندهٔ بازی")}
STORY = {"en": ("Since your last answer", "What happened"), "fa": ("از آخرین پاسخ شما تاکنون", "آنچه گذشت")}
LANGUAGES = ("en", "fa")
MOST_LINES = 6


class Email(NamedTuple):
    """An email of a golden game."""

    reader: str
    subject: str
    text: str

    def headline(self) -> str:
        """The first line that says something."""
        lines = [line for line in self.text.splitlines() if line.strip() and not line.startswith("##-")]
        return lines[0].strip("\u200f ")

    def story(self, language: str) -> list[str]:
        """The lines of what happened."""
        lines = iter(line.strip("\u200f ") for line in self.text.splitlines())
        for line in lines:
            if line in STORY[language]:
                return [story_line for story_line in iter(lambda: next(lines, ""), "") if story_line.startswith("*")]
        return []


def emails(language: str) -> list[Email]:
    """The emails of a golden game, in their order."""
    parts = re.split(r"^=== ", (GOLDEN / f"{language}.txt").read_text(), flags=re.M)[1:]
    sent = [part.partition("\n") for part in parts if part.startswith("To ")]
    return [Email(*re.fullmatch(r"To (\w+)@\S+: (.*)", head).groups(), text) for head, _, text in sent]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_emails_say_in_their_headlines_and_only_there_who_won(language: str) -> None:
    assert {email.reader for email in emails(language)[-2:]} == {"host", "guest"}
    for email, won in zip(
        sorted(emails(language)[-2:], key=lambda one: one.reader != "host"), WON[language], strict=True
    ):
        assert won in email.headline()
        assert not [line for line in email.story(language) if WON_IN_STORY[language].search(line)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_story_speaks_of_its_reader_in_the_third_person(language: str) -> None:
    """D2: an email speaks to its reader as "you"."""
    lines = [(email.reader, line) for email in emails(language) for line in email.story(language)]
    assert len(lines) > 8
    for reader, line in lines:
        assert not re.search(rf"(?:^\* |[.!] ){PLAYERS[language][reader]} ", line), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_story_has_a_few_lines_and_no_line_twice(language: str) -> None:
    """D3: an email tells a story of a few lines, and no fact twice."""
    for email in emails(language):
        lines = email.story(language)
        assert len(lines) <= MOST_LINES, lines
        assert len(set(lines)) == len(lines), lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_subjects_end_with_the_game_and_only_those_that_ask_have_the_marker(language: str) -> None:
    """D9: no email that asks nothing wants its answer written above a line."""
    names = {email.subject.partition(" (")[2].removesuffix(")") or email.subject for email in emails(language)}
    assert len(names) == 1
    for email in emails(language)[-2:]:
        assert MARKER[language] not in email.text
    marked = [email.text.lstrip().partition("\n")[0].endswith(MARKER[language]) for email in emails(language)]
    assert sum(marked) > 8


def test_each_line_of_a_persian_email_begins_from_the_right() -> None:
    """D8: each line of a Persian text part begins with a right-to-left mark."""
    for email in emails("fa"):
        for line in email.text.splitlines():
            if line.strip() and not line.startswith(("##-", "  http", "--", "  mailto")):
                assert line.startswith("\u200f"), line


def test_persian_emails_show_persian_notation_and_no_name_of_the_readers_zone() -> None:
    """D15: the moves of a Persian email are written in Persian words."""
    for email in emails("fa"):
        offered = re.findall(r"^\u200f  (?!\*)(.*?) - ", email.text, re.M)
        assert not [text for text in offered if re.search("[a-z]", text)], email.text
        assert "Asia/Tehran" not in email.text
        assert "UTC" not in email.text or email.reader == "guest"
