"""Parsers of replies to an invitation, and to an email with several questions.

An invitation asks “Do you want to play?”. It is answered by yes, no or never in the usual words, or by a name.
In a reply to several questions each line begins with the code of its game.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal

from games.engine.reading import fold
from games.mail.commands import ChooseName, Command, InvitationReply, not_understood
from games.mail.reading.courtesies import plain_line, says_nothing, without_courtesies
from games.mail.reading.trailing_text import (
    DIRECTION_OVERRIDES,
    INVISIBLE_MARKS,
    SenderNames,
    find_unclear,
    may_be_name,
    sender_names,
)
from notifications.mail_parsing.parsed_mail import Content, SenderText

Answer = Literal["join", "no", "never"]

_LONGEST: Final = 200
_MOST_NAME_WORDS: Final = 2
_QUOTED: Final = re.compile(r'\s*["“„«]([^"“”„«»]+)["”»](\s[^"“”„«»]*)?')
"""A line in quotation marks, or one whose beginning is in quotation marks, as our emails show examples."""
_NAME: Final = re.compile(r"(?:name|نام)\b\s*[:：]?\s*(\S.*)", re.I)
_CALLED: Final = re.compile(
    r"(.*?)[\s,،.!:;\-]+(?:(?:and )?(?:my name is|call me|as|name:|name is)|با نام|به نام|نام من|اسمم|اسم من)"
    r"\s*:?\s+(\S.*)",
    re.I,
)
_JOIN_AS: Final = re.compile(
    r"(?:(?:i )?join|پیوستن|می‌پیوندم)[,،:\-]? +(?!(?:us|the|me|in|you|now|this|a)\b)([^\W\d_].*)", re.I
)
"""An acceptance with a name right behind it."""
_LUCKY: Final = re.compile(
    r"(.*?)[\s,،.!:;\-]+(?:(?:and )?(?:my )?lucky words|(?:و )?کلمه[\u200c ]?های خوش[\u200c ]?یمن(?:م| من)?)"
    r"\s*[:：]\s*(\S.*)",
    re.I,
)
_GREETING: Final = re.compile(r"\s*(?:hi|hello|hey|dear|سلام)(?: \w+){1,2}\s*", re.I)
"""A greeting with the name of the inviter."""
_CLAUSES: Final = re.compile(r"[,،.!;؛:]+|\s-+\s")

_ANSWERS: Final = {
    "join": (
        "join, i join, to join, love to join, i'd love to join, i would love to join, happy to join, glad to join,"
        " i'd be happy to join, i'll join, i will join, i want to join, join in, join you, join the game,"
        " joining, joining the game, join the table, i'll join the game, i'd love to join the game, i accept, accept,"
        " count me in, i'm in,"
        " i am in, deal me in, i'd love to play, i would love to play, let's play, i'll play, i want to play,"
        " پیوستن, پیوستن به بازی, می‌پیوندم, به بازی می‌پیوندم, من هستم, منم هستم, قبول می‌کنم, می‌پذیرم, پایه‌ام,"
        " پایه هستم, بازی می‌کنم, می‌آیم, من می‌آیم, من هم می‌آیم, میام, من میام, منم میام, من هم میام, حتما می‌آیم,"
        " حتما میام, of course i'm in, i'm definitely in, definitely in, i'm so in"
    ),
    "yes": (
        "yes, yes please, yep, yup, yeah, ya, yes sir, sure, sure thing, yes sure, sure yes, yeah sure, of course,"
        " yes of course, gladly, with pleasure, i'd love to, i would love to, absolutely, definitely, certainly, by all"
        " means, yes i do, i do, yes i want, yes i want to, i want to, i would, yes i would, i'd like to, i would like"
        " to, i'd be glad to, i'd be happy to, happy to, glad to, i'm up for it, i'm up, i'm game, let's do it,"
        " let's do this, let's go, yes let's, ok, okay, ok yes, yes ok, okay yes, o.k, alright, all right, fine, ok"
        " sure, fine by me, fine with me,"
        " بله, آره, اره, بلی, آری, با کمال میل, حتما, چشم, بله حتما, آره حتما, باشه, باشد,"
        " اوکی, اوکیه, اکی,"
        " قبول, قبوله, موافقم, هستم, بله هستم, آره هستم, باشه هستم, می‌خواهم, می‌خوام, بله می‌خواهم, آره می‌خوام,"
        " بریم, بزن بریم, البته, بله البته, با افتخار, چرا که نه"
    ),
    "no": (
        "no, nope, no thanks, no thank you, not this time, not now, maybe next time, i decline, decline, i can't,"
        " i cannot, i'd rather not, sorry no, i have no time, no time,"
        " but no, but not this time, but not now,"
        " i can't this time, i don't have time, i have to decline,"
        " ولی نه, ولی فعلا نه, فعلا نه, ولی این بار نه,"
        " نه, خیر, نه ممنون, نه مرسی, این بار نه, نمی‌توانم, وقت ندارم, فرصت ندارم, متاسفانه نمی‌توانم, نمی‌تونم,"
        " این بار نمی‌تونم, این بار نمی‌توانم, متاسفانه نمی‌تونم, نمی‌رسم"
    ),
    "never": "never, never again, هرگز",
}
"""The phrases of each answer. “Yes” agrees with joining, also if the other clause asks for a name."""
_NEVER: Final = re.compile(
    r"no (?:e-?mail|invitation)s? from darbar to this address,? ever again"
    r"|دیگر هرگز (?:ایمیلی|دعوتی) از دربار به این نشانی نیاید",
    re.I,
)
"""The labels of the answer ``never``, which contain commas."""
_ANSWER_OF: Final = {
    fold(phrase.strip()): answer for answer, phrases in _ANSWERS.items() for phrase in phrases.split(",")
}


def _without_quotation_marks(line: str) -> str:
    """Return a line without the quotation marks that our emails show around examples."""
    quoted_match = _QUOTED.fullmatch(INVISIBLE_MARKS.sub("", line[:_LONGEST]))
    return f"{quoted_match[1]}{quoted_match[2] or ''}" if quoted_match else line


def read_invitation_line(line: str, paragraph: str, sender: SenderNames) -> Command:
    """Return a line as the reply to an invitation. Each part must be known, and all parts must agree."""
    if DIRECTION_OVERRIDES.search(line):
        return not_understood("turned", line)
    line = _without_quotation_marks(line)
    if lucky_match := _LUCKY.fullmatch(INVISIBLE_MARKS.sub("", line[:_LONGEST]).strip()):
        return _with_lucky_words(read_invitation_line(lucky_match[1], paragraph, sender), lucky_match[2])
    if name_match := _NAME.fullmatch(INVISIBLE_MARKS.sub("", line)):
        return ChooseName(name_match[1]) if len(line) <= _LONGEST else not_understood("too-long", line)
    plain = plain_line(INVISIBLE_MARKS.sub("", line[:_LONGEST]))
    if answer := _answer(plain):
        return InvitationReply(answer)
    if (answer_and_name := _CALLED.fullmatch(plain)) and _answer(answer_and_name[1]) == "join":
        if not may_be_name(answer_and_name[2]):
            return not_understood("unclear-text", answer_and_name[2], reading=InvitationReply("join"))
        return InvitationReply("join", answer_and_name[2].rstrip(" .!"))
    if (name_match := _JOIN_AS.fullmatch(plain)) and _is_name(name_match[1].rstrip(" .!")):
        return InvitationReply("join", name_match[1].rstrip(" .!"))
    if answer := _answer(plain, sender):
        return InvitationReply(answer)
    if answer_and_rest := _begun_answer(plain, sender):
        return not_understood("unclear-text", answer_and_rest[1], reading=InvitationReply(answer_and_rest[0]))
    return not_understood("not-read", line)


def _with_lucky_words(command: Command, words: str) -> Command:
    """Return an acceptance with lucky words. Other commands stay the same."""
    if isinstance(command, InvitationReply) and command.answer == "join":
        return replace(command, words=words)
    return command


def _begun_answer(text: str, sender: SenderNames) -> tuple[Answer, str] | None:
    """Return the answer at the beginning of a line, and the first clause behind it that may change it."""
    pieces = [*_clauses(text)]
    for index, (_, clause) in enumerate(pieces):
        answer = _answer(", ".join(text for _, text in pieces[:index])) if index else None
        if answer and find_unclear([clause], sender):
            return answer, clause
    return None


def _is_name(text: str) -> bool:
    """Return whether a text looks like a name: one or two words with capitals."""
    return len(text.split()) <= _MOST_NAME_WORDS and text.istitle()


def _answer(text: str, sender: SenderNames | None = None) -> Answer | None:
    """Return the answer on which all clauses agree. None if they differ or one is not known.

    With ``sender``, small talk of that sender may stand behind the answer.
    """
    clauses = [*_clauses(text)]
    while sender and len(clauses) > 1 and not clauses[-1][0] and not find_unclear([clauses[-1][1]], sender):
        clauses.pop()
    match sorted({answer for answer, _ in clauses}):
        case ["join"] | ["join", "yes"] | ["yes"]:
            return "join"
        case ["no"]:
            return "no"
        case ["never"]:
            return "never"
    return None


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the answer in each clause, or a blank text, with the clause itself. Courtesies are left out."""
    text = _NEVER.sub(" never ", text)
    for clause in filter(str.strip, _CLAUSES.split(text)):
        exact = _ANSWER_OF.get(fold(clause))
        if exact or not (says_nothing(clause) or _GREETING.fullmatch(clause)):
            yield exact or _ANSWER_OF.get(fold(without_courtesies(clause.strip())), ""), clause


_MOST_LINES: Final = 300
_LONGEST_DIGEST_LINE: Final = 300


def read_digest_reply(content: Content, codes: Collection[str], own_names: Collection[str] = ()) -> Mapping[str, str]:
    """Return the text for each game of a reply, by the game's code, or nothing if a line is unclear.

    Only greetings may stand above the first answer, and only small talk below the last. All forms of the email must
    give the same texts, and a game must not get two different ones.
    """
    if not isinstance(content, SenderText) or not codes or find_unclear_prose(content, codes, own_names):
        return {}
    with_code = _line_with_code(codes)
    answers, *others = (_read_digest_lines(lines, with_code) for lines in content.versions)
    return answers if all(_folded(other) == _folded(answers) for other in others) else {}


def find_unclear_prose(content: Content, codes: Collection[str], own_names: Collection[str] = ()) -> str:
    """Return the first line below the answers that may change an answer, or a blank text."""
    if not isinstance(content, SenderText) or not codes:
        return ""
    with_code, sender = _line_with_code(codes), sender_names(own_names)
    for lines in content.versions:
        answers = [index for index, line in enumerate(lines[:_MOST_LINES]) if _answer_in(line, with_code)]
        if answers and (unclear := find_unclear(lines[answers[-1] + 1 : _MOST_LINES], sender)):
            return unclear
    return ""


def _answer_in(line: str, with_code: re.Pattern[str]) -> re.Match[str] | None:
    return with_code.fullmatch(plain_line(line)[:_LONGEST_DIGEST_LINE])


def _line_with_code(codes: Collection[str]) -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:in|for|در|برای)\s+)?(?:(?:game|table|بازی|میز)\s+)?({'|'.join(map(re.escape, map(fold, codes)))})"
        r"\s*(?:[:\-.)،,]*|-+>|=+>?|→)\s+(\S.*)",
        re.I,
    )


def _folded(texts: Mapping[str, str]) -> Mapping[str, str]:
    return {code: fold(text) for code, text in texts.items()}


def _read_digest_lines(lines: tuple[str, ...], with_code: re.Pattern[str]) -> dict[str, str]:
    """Return the text for each code, or nothing if there is other text between answers or two answers differ."""
    texts: dict[str, str] = {}
    has_prose = False
    for line in lines[:_MOST_LINES]:
        if DIRECTION_OVERRIDES.search(line):
            return {}
        answer = _answer_in(line, with_code)
        if answer is None:
            has_prose = has_prose or not says_nothing(line)
            continue
        code, text = answer[1].upper(), answer[2]
        if has_prose or fold(texts.get(code, text)) != fold(text):
            return {}
        texts[code] = text
    return texts
