"""Commands as people write them, in both languages; and lines that resemble one and must do nothing."""

import pytest
from django.utils.translation import gettext, override

from games.mail.mailbox_commands import SeekPlayers, TakeVacation, Unclear, read_titles
from games.mail.mailbox_reader import read_account_command
from games.terms import SPEEDS
from notifications.mail_parsing.parser import SenderText
from tests.examples import for_each, read_examples
from tests.games.mail.test_people import account_command_text

EXAMPLES = read_examples(__file__)


@for_each("meaning, line", [(meaning, line) for meaning, lines in EXAMPLES["honest"].items() for line in lines])
def test_a_command_is_understood_as_people_write_it(meaning: str, line: str) -> None:
    for lines in ((line,), (line, "", "Best wishes", "Maryam"), ("Hello,", "", line)):
        assert account_command_text(read_account_command(SenderText((lines, lines)), read_titles())) == meaning


@pytest.mark.parametrize(("line", "language"), [("seek coup 3 {}", "en"), ("هم‌بازی کودتا {}", "fa")])
@pytest.mark.parametrize("speed", SPEEDS)
def test_the_names_of_speeds_on_the_pages_are_read(speed: str, line: str, language: str) -> None:
    with override(language):
        label = gettext(SPEEDS[speed].label)
    for text in (label, label.replace("\u200c", " ")):
        command = read_account_command(SenderText(((line.format(text),),)), read_titles())
        assert isinstance(command, SeekPlayers), text
        assert command.speed == speed


@for_each("line", EXAMPLES["hostile"])
def test_what_only_resembles_a_command_is_none(line: str) -> None:
    assert read_account_command(SenderText(((line,),)), read_titles()) is None


@pytest.mark.parametrize(
    "line", ["I'll be hiking, vacation 3 days", "Vacation 3 days. I mean four", "باران می‌آید، مرخصی ۳ روز"]
)
def test_a_command_among_other_clauses_is_confirmed(line: str) -> None:
    command = read_account_command(SenderText(((line,),)), read_titles())
    assert isinstance(command, Unclear)
    assert command.command == TakeVacation(3)


@pytest.mark.parametrize("line", ["Sorry for the delay, vacation 3 days", "Thanks all. Vacation 3 days! See you soon"])
def test_a_command_beside_small_talk_is_carried_out(line: str) -> None:
    assert read_account_command(SenderText(((line,),)), read_titles()) == TakeVacation(3)


@pytest.mark.parametrize(
    "versions",
    [
        (("help",), ("games",)),
        (("new coup 4", "new coup 5"),),
        (("stop", "start"),),
        (("yes", "leave VED4"),),
        (("new coup 4",), ("new coup 4", "stop")),
        (("\u202enew coup 4",),),
        (("x" * 600,),),
        ((),),
    ],
)
def test_a_mail_that_says_two_things_or_hides_its_order_gives_no_command(versions: tuple[tuple[str, ...], ...]) -> None:
    assert read_account_command(SenderText(versions), read_titles()) is None
