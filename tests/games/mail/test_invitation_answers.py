"""Answers to an invitation as people write them, and texts that only resemble one."""

import pytest

from games.mail.commands import ChooseName, Command, InvitationReply, NotUnderstood
from games.mail.reading import reply_readers
from games.mail.reading.command_reader import read_invitation_reply
from notifications.mail_parsing.parser import SenderText
from tests.examples import read_examples

EXAMPLES = read_examples(__file__)


def read(text: str) -> Command:
    return read_invitation_reply(SenderText(((text.strip(),),)), ("Kaveh", "Maryam"))


@pytest.mark.parametrize("answer", ["join", "no", "never"])
def test_plain_answers_are_understood(answer: str) -> None:
    misread = {text: read(text) for text in EXAMPLES["answers"][answer] if read(text) != InvitationReply(answer)}  # type: ignore[arg-type]
    assert misread == {}


@pytest.mark.parametrize(
    "text",
    [
        f"don't email me{' any more' * 500} but",
        f"I don't want{' any more' * 500} but",
        f"{'hi all ' * 500}but",
        f"{'dear Darbar, ' * 500}but",
        f"{'با سلام و احترام ' * 500}ولی",
    ],
)
def test_words_that_can_be_divided_in_two_ways_do_not_take_exponential_time(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    # With 500 repetitions, a pattern that tries both ways each time would never end.
    monkeypatch.setattr(reply_readers, "_LONGEST", len(text))
    assert isinstance(read(text), NotUnderstood)


def test_what_only_resembles_an_answer_or_a_name_is_asked_back() -> None:
    misread = {text: read(text) for text in EXAMPLES["unclear"] if not isinstance(read(text), NotUnderstood)}
    assert misread == {}


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Yes, call me Zari", InvitationReply("join", "Zari")),
        ("Yes, my name is zari", InvitationReply("join", "zari")),
        ("OK, call me Mr. O'Neil", InvitationReply("join", "Mr. O'Neil")),
        ("بله، اسم من زری", InvitationReply("join", "زری")),
        ("بله، اسم من یزدان", InvitationReply("join", "یزدان")),
        ("name will", ChooseName("will")),
        ("name Kaveh the Smith", ChooseName("Kaveh the Smith")),
    ],
)
def test_a_name_is_understood(text: str, command: Command) -> None:
    assert read(text) == command
