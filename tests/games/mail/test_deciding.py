"""Tests of the command that a text gives."""

import pytest

from games.engine import SeatNumber
from games.mail.commands import (
    AskAgain,
    Chat,
    ChooseName,
    ComeBack,
    Command,
    InvitationReply,
    ListPlans,
    NotUnderstood,
    Pause,
    Resign,
    Vote,
)
from games.mail.reading.command_reader import read_invitation_reply
from notifications.mail_parsing.parser import Automatic, Doubtful, Empty, SenderText, TooBig
from tests.examples import for_each, read_examples
from tests.games.mail.tables import GRAVEYARD, TURN, WINDOW, QuestionCase, command_text

INVITATIONS = read_examples(__file__)["invitations"]


def reading(*lines: str, case: QuestionCase = TURN) -> Command:
    return case.read(SenderText((lines,)))


def test_the_first_line_is_the_command_and_prose_below_it_is_not() -> None:
    assert command_text(reading("4", "", "Sorry for the delay!", "Regards, Maryam")) == "move steal 2"


def test_the_same_command_twice_is_one() -> None:
    assert command_text(reading("4", "steal 2")) == "move steal 2"
    assert reading("resign", "", "Resign.") == Resign(sure=False)


def test_emphasis_is_not_read() -> None:
    assert command_text(reading("*income*")) == "move income"
    assert reading("*chat hello*") == Chat(None, "hello")


@pytest.mark.parametrize("word", ["chat", "Chat:", "CHAT", "گفتگو", "گفت‌وگو", "گفت و گو", "گفتگو:"])
def test_chat_goes_to_all_or_to_one_seat(word: str) -> None:
    assert reading(f"{word} well played") == Chat(None, "well played")
    assert reading(f"{word} 2 well played") == Chat(SeatNumber(2), "well played")
    assert reading(f"{word} ۲: well played") == Chat(SeatNumber(2), "well played")
    assert reading(f"{word} KAVEH, well played") == Chat(SeatNumber(4), "well played")
    assert reading(f"{word} بهاره well played") == Chat(SeatNumber(3), "well played")


def test_chat_is_a_paragraph_and_no_more() -> None:
    assert reading("chat hello", "there", "", "good luck") == Chat(None, "hello there")


def test_chat_keeps_its_half_spaces_and_loses_what_turns_it() -> None:
    assert reading("chat نمی‌دانم \u2067x\u2069") == Chat(None, "نمی‌دانم x")


def test_chat_with_markup_or_broken_letters_in_it_is_asked_back() -> None:
    for line in ("chat hi<br>Your cards: duke", "chat hi </div>", "chat h\ufffdi"):
        command = reading(line)
        assert isinstance(command, NotUnderstood), line
        assert command.reason == "doubtful"


def test_chat_of_resigning_on_its_own_line_resigns_nothing() -> None:
    assert reading("chat I will never resign") == Chat(None, "I will never resign")


def test_what_the_grammar_says_of_a_line_is_kept() -> None:
    command = reading("steal")
    assert isinstance(command, NotUnderstood)
    assert command.violation is not None
    assert command.phrase == command.violation.phrase
    assert "steal 3" in str(command.phrase)
    assert command.line == "steal"


def test_the_forms_of_a_mail_must_agree() -> None:
    assert command_text(TURN.read(SenderText((("4",), ("steal 2",))))) == "move steal 2"
    assert command_text(TURN.read(SenderText((("chat *hi*  you",), ("chat hi you",))))) == "chat all: *hi* you"
    for other in (("3",), (), ("?",), ("chat hi",), ("4", "3")):
        assert isinstance(TURN.read(SenderText((("4",), other))), NotUnderstood), other


def test_what_could_not_be_read_at_all_is_asked_back_for_its_reason() -> None:
    reasons = {Empty(): "empty", TooBig(): "too-big", Doubtful("torn-quotation"): "doubtful", Automatic("x"): "empty"}
    for content, reason in reasons.items():
        command = TURN.read(content)
        assert isinstance(command, NotUnderstood)
        assert command.reason == reason


def test_questions_and_resignations_are_the_same_everywhere() -> None:
    for case in (TURN, WINDOW, GRAVEYARD):
        assert reading("؟", case=case) == reading("?", case=case) == AskAgain()
        assert reading("انصراف بله", case=case) == reading("Resign YES.", case=case) == Resign(sure=True)


@pytest.mark.parametrize("line", ["name Zahra 2", "Name: Zahra 2", "نام زهرا ۲", "نام: زهرا ۲", "NAME   Zahra 2"])
def test_whoever_was_invited_says_what_they_want_to_be_called(line: str) -> None:
    command = read_invitation_reply(SenderText(((line, "", "Thank you!"),)))
    assert isinstance(command, ChooseName)
    assert command.name in ("Zahra 2", "زهرا ۲")


@pytest.mark.parametrize("lines", [("name",), ("names Zahra",), ("name Zahra", "name Sara"), ("join", "name Zahra")])
def test_a_name_is_not_guessed(lines: tuple[str, ...]) -> None:
    assert isinstance(read_invitation_reply(SenderText((lines,))), NotUnderstood)


@pytest.mark.parametrize("lines", [("maybe",), ("join", "no"), ("yes", "no"), ("yеs",), ("jоin",), ("no", "", "never")])
def test_an_invitation_is_not_answered_by_a_guess(lines: tuple[str, ...]) -> None:
    assert isinstance(read_invitation_reply(SenderText((lines,))), NotUnderstood)


def test_a_pause_is_asked_for_and_voted_on() -> None:
    for line, days in (("pause", None), ("Pause 3", 3), ("pause 3 days", 3), ("وقفه ۳ روز", 3), ("وقفه", None)):
        assert reading(line) == Pause(days), line
    for line, answer in (("agree", "agree"), ("موافقم", "agree"), ("مخالفم.", "decline"), ("ادامه", "resume")):
        assert reading(line) == Vote(answer), line
    assert isinstance(reading("pause", "", "agree"), NotUnderstood)


SENTENCES: list[tuple[Command, str]] = [
    (AskAgain(), "Could you send me the question again, please?|What was the question?|سوال رو دوباره بفرستید"),
    (AskAgain(), "Sorry, I deleted the email. Please send the question again.|What can I answer here?"),
    (ListPlans(), "Which plans do I have?|Show me my plans|My plans, please|پیش‌حرکت‌هایم"),
    (Resign(sure=False), "I resign.|I want to quit the game|I'm afraid I have to drop out of this game. I resign."),
    (Resign(sure=False), "انصراف می‌دهم|می‌خوام از بازی انصراف بدم"),
    (Pause(), "Can we pause the game, please?|I'd like a pause|وقفه می‌خواهم"),
    (Pause(3), "Let's pause the game for 3 days|I propose a pause of 3 days|وقفهٔ ۳ روزه می‌خوام"),
    (Vote("agree"), "I agree to the pause|با وقفه موافقم"),
    (Vote("decline"), "I don't agree with the pause|با وقفه مخالفم"),
    (ComeBack(), "I'm back from vacation!"),
]
NO_SENTENCES = (
    "I will never resign|Kaveh resigns|Should we pause?|We can't pause|انصراف نمی‌دهم|Kaveh has plans|pause for thought"
    "|I resign my fate|I have plans"
)


@for_each("command, line", [(command, line) for command, lines in SENTENCES for line in lines.split("|")])
def test_a_fixed_command_may_be_a_sentence(command: Command, line: str) -> None:
    assert reading(line) == command


@for_each("line", NO_SENTENCES.split("|"))
def test_a_sentence_that_only_resembles_a_fixed_command_is_none(line: str) -> None:
    assert isinstance(reading(line), NotUnderstood)


@for_each("meaning, line", [(meaning, line) for meaning, lines in INVITATIONS.items() for line in lines])
def test_an_invitation_is_answered_in_friendly_sentences(line: str, meaning: str) -> None:
    understood = read_invitation_reply(SenderText(((line,),)))
    assert command_text(understood) == meaning if meaning != "unclear" else isinstance(understood, NotUnderstood)


def test_a_friendly_sentence_may_follow_a_greeting() -> None:
    lines = ("Hello,", "", "I'd love to join!", "", "Best", "Kaveh")
    assert read_invitation_reply(SenderText((lines,))) == InvitationReply("join")


@pytest.mark.parametrize(
    ("line", "name", "words"),
    [
        ("join, lucky words: open sesame", "", "open sesame"),
        ("I'd love to join! My lucky words: Open, Sesame.", "", "Open, Sesame."),
        ("join, my name is Kaveh, lucky words: seven", "kaveh", "seven"),
        ("می‌آیم، کلمه‌های خوش‌یمن: بیا بازی", "", "بیا بازی"),
        ("پیوستن، کلمه‌های خوش‌یمن: باد صبا", "", "باد صبا"),
    ],
)
def test_lucky_words_may_follow_a_yes_to_an_invitation(line: str, name: str, words: str) -> None:
    invitation_reply = read_invitation_reply(SenderText(((line,),)))
    assert isinstance(invitation_reply, InvitationReply)
    assert (invitation_reply.answer, invitation_reply.name.casefold(), invitation_reply.words) == ("join", name, words)


@pytest.mark.parametrize("line", ["no, lucky words: open sesame", "never, lucky words: x", "perhaps, lucky words: x"])
def test_lucky_words_make_no_yes(line: str) -> None:
    invitation_reply = read_invitation_reply(SenderText(((line,),)))
    assert not isinstance(invitation_reply, InvitationReply) or (
        invitation_reply.answer != "join" and not invitation_reply.words
    )
