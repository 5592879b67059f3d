"""Text beside an answer: small talk changes nothing, and anything else is asked back.

Each entry of the tables is what follows an answer: on the same line, on the line below it, and below a gap.
"""

import pytest

from games.engine import SeatNumber
from games.mail.commands import Chat, ChooseName, Command, InvitationReply, Move, NotUnderstood, SeveralCommands
from games.mail.mailbox_commands import Unclear, read_titles
from games.mail.mailbox_reader import read_account_command
from games.mail.reading.command_reader import read_invitation_reply
from games.mail.reading.courtesies import plain_line
from games.mail.reading.reply_readers import find_unclear_prose, read_digest_reply
from notifications.mail_parsing.parser import SenderText, read
from tests.examples import for_each, read_examples
from tests.games.mail.letters import DOMAIN, PLAYER, SERVER, TOKEN
from tests.games.mail.tables import ADDRESSES, TURN, WINDOW, text_of

EXAMPLES = read_examples(__file__)


def positions(answer: str, text: str) -> list[str]:
    """Return an email with a text beside an answer, below it, and below a gap."""
    return [f"{answer}. {text}", f"{answer}\n{text}", f"{answer}\n\n{text}", f"{answer}\n\n\n{text}\n\nThanks"]


def read_reply(body: str, kind: str = "text/plain") -> Command:
    head = f"From: Maryam <{PLAYER}>\nTo: {TOKEN}@{DOMAIN}\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n"
    raw = f"{head}Content-Type: {kind}; charset=utf-8\n\n{body}\n".encode()
    return TURN.read(read(raw, ADDRESSES, server=SERVER).content)


@for_each("text", EXAMPLES["changing"])
def test_an_answer_with_text_that_may_change_it_is_asked_back(text: str) -> None:
    played = [body for body in positions("2", text) if not isinstance(read_reply(body), NotUnderstood)]
    played += [
        body
        for answer in ("allow", "Challenge", "چالش")
        for body in positions(answer, text)
        if not isinstance(WINDOW.read(SenderText((tuple(body.split("\n")),))), NotUnderstood)
    ]
    assert played == []


@for_each("text", EXAMPLES["harmless"])
def test_an_answer_with_small_talk_is_played(text: str) -> None:
    doubtful = [body for body in positions("2", text)[1:] if not isinstance(read_reply(body), Move)]
    assert doubtful == []


@for_each("body", EXAMPLES["signatures"])
def test_signatures_quotations_and_plans_may_follow(body: str) -> None:
    assert not isinstance(read_reply(body), NotUnderstood), read_reply(body)


@for_each("body", EXAMPLES["corrections"])
def test_corrections_in_signatures_and_round_quotations_are_asked_back(body: str) -> None:
    assert isinstance(read_reply(body), NotUnderstood)


@pytest.mark.parametrize("text", ["Edit: income", "no, wait", "Strike that", "ویرایش: درآمد"])
def test_a_correction_in_one_form_alone_is_asked_back(text: str) -> None:
    for forms in ((("2",), ("2", "", text)), (("2", "", text), ("2",))):
        assert isinstance(TURN.read(SenderText(forms)), NotUnderstood), forms


def test_the_question_back_shows_both_readings() -> None:
    command = TURN.read(SenderText((("tax", "", "Thanks!", "no I mean income"),)))
    assert isinstance(command, NotUnderstood)
    assert command.line == "no I mean income"
    assert isinstance(command.reading, Move)
    assert text_of(command.reading.move) == "tax"


@for_each("text", EXAMPLES["changing"])
def test_an_invitation_is_not_accepted_with_text_that_may_change_it(text: str) -> None:
    for body in positions("join", text):
        assert isinstance(read_invitation_reply(SenderText((tuple(body.split("\n")),))), NotUnderstood), body


@for_each("text", EXAMPLES["changing"])
def test_a_command_to_the_server_is_not_done_with_text_that_may_change_it(text: str) -> None:
    command = read_account_command(SenderText((("vacation 3 days", "", text),)), read_titles())
    assert command is None or isinstance(command, Unclear)


@for_each("text", EXAMPLES["changing"])
def test_the_answers_of_a_digest_are_not_given_with_text_that_may_change_them(text: str) -> None:
    content = SenderText((("VED4: 3", "K7QT: allow", "", text),))
    assert find_unclear_prose(content, ("VED4", "K7QT")) == text
    assert read_digest_reply(content, ("VED4", "K7QT")) == {}


def test_a_worker_does_not_keep_long_lines_of_strangers() -> None:
    short, long = "I  allow  it", "I  allow  it " * 300
    assert plain_line(short) is plain_line(short)
    assert plain_line(long) == plain_line(long)
    assert plain_line(long) is not plain_line(long)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("“chat” Maryam hello", Chat(SeatNumber(1), "hello")),
        ("“chat” “Maryam” hello", Chat(SeatNumber(1), "hello")),
        ("«گفت‌وگو» Maryam سلام", Chat(SeatNumber(1), "سلام")),
        ("“chat” Maryam " + "very " * 60 + "long", Chat(SeatNumber(1), "very " * 60 + "long")),
        ("“chat” hello", Chat(None, "hello")),
    ],
)
def test_a_chat_command_in_quotation_marks_is_read_as_one_without(line: str, command: Chat) -> None:
    """Our emails show it so. Without this, a private message in a chat with everyone would be sent to everyone."""
    assert TURN.read(SenderText(((line,),))) == command
    below = TURN.read(SenderText((("tax", "", line),)))
    assert isinstance(below, SeveralCommands)
    assert (text_of(below.move.move), below.chat) == ("tax", command)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("“name Sam”", ChooseName("Sam")),
        ("“name” Sam", ChooseName("Sam")),
        ("«نام» سام", ChooseName("سام")),
        ("name Sam “the liar”", ChooseName("Sam “the liar”")),
        ("“join, lucky words: seven goats”", InvitationReply("join", words="seven goats")),
        ("join, lucky words: a “b” c", InvitationReply("join", words="a “b” c")),
    ],
)
def test_an_example_in_quotation_marks_is_read_as_one_without(line: str, command: Command) -> None:
    assert read_invitation_reply(SenderText(((line,),))) == command
