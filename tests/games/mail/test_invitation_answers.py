"""Answers to an invitation as people write them, and texts that only resemble one."""

import pytest

from games.mail.commands import ChooseName, Command, InvitationReply, NotUnderstood
from games.mail.reading import reply_readers
from games.mail.reading.command_reader import read_invitation_reply
from notifications.mail_parsing.parsed_mail import SenderText

ANSWERS = {
    "join": """Yes I want to play.|I'd like to play|count me in|I'm in|Yes please count me in!|Sure, I'll play
        |OK I'll join the game|I would really love to join you all|I'd be glad to take part|I'm up for a game|we'll play
        |Hi Maryam, I'd love to play a game of Coup with you. Thanks!|yes let's do it|بله می‌خواهم بازی کنم|من پایه‌ام
        |بله، دوست دارم بازی کنم|پایه‌م|می‌خواهم در این بازی شرکت کنم|به نام خدا، بله|Yes, as always""",
    "no": """not interested|no thanks|Sorry, I'm not interested in this|I don't want to play|no I don't want to
        |I can't play this time|I'm afraid I can't|Unfortunately I can't|I won't be able to join|I'll pass
        |I'd rather not play|count me out|Not for me, thanks|نمی‌خواهم|نمی‌خواهم بازی کنم|علاقه‌ای ندارم|بازی نمی‌کنم
        |متاسفانه نمی‌توانم بازی کنم""",
    "never": """don't email me|Please don't email me again|do not contact me|don't send me any more emails
        |No thanks, don't email me|I don't want any emails|دیگر به من ایمیل نزنید|ایمیل نفرستید""",
}
UNCLEAR = """I don't care|I like to play|can't wait to play|I want to play but not now|I don't want to miss it
    |I'm in Berlin|Is it free? I'd like to play|I'd like to play, but can't|I'm interested|I'm out of town until Monday
    |I can't say yet
    |I will play if Kaveh plays|count me in if it is slow|count me in or not|I want to play chess|can't say no
    |don't email me before Monday|I don't want emails at night|I'd like to play later|I won't say no|yes no|no yes
    |می‌خواهم بازی کنم ولی وقت ندارم|شاید بازی کنم|نمی‌خواهم از دستش بدهم|Yes I want to play, no I don't
    |Yes, as promised|OK, as captain|Yes as requested|Yes, call me back|Yes, call me at 5|Yes call me today
    |ok, call me 09121234567|OK, call me on Monday|OK, call me Monday|Yes, my name is none of your business
    |باشه، اسم من نیست|باشه با نام خدا|name Sara what is that|name what is that|name will follow
    |name Sara, who are you?"""


def read(text: str) -> Command:
    return read_invitation_reply(SenderText(((text.strip(),),)), ("Kaveh", "Maryam"))


@pytest.mark.parametrize("answer", ["join", "no", "never"])
def test_plain_answers_are_understood(answer: str) -> None:
    misread = {text: read(text) for text in ANSWERS[answer].split("|") if read(text) != InvitationReply(answer)}  # type: ignore[arg-type]
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
    misread = {text: read(text) for text in UNCLEAR.split("|") if not isinstance(read(text), NotUnderstood)}
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
