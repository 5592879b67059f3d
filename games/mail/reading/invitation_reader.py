"""Reads a line of the answer to an invitation: yes, no or never, in the words that people use, or a name."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from games.engine.reading import fold
from games.mail.mail_commands import ChooseName, Command, InvitationReply, not_understood
from games.mail.reading.second_thoughts import may_change
from notifications.mail_parsing.courtesies import plain_line, says_nothing, without_courtesies

Answer = Literal["join", "no", "never"]

_LONGEST: Final = 200
_MOST_NAME_WORDS: Final = 2
_DIRECTION_OVERRIDES: Final = re.compile("[\u202d\u202e]")
_INVISIBLE_MARKS: Final = re.compile("[\u202a-\u202c\u2066-\u2069\ufeff\u200b\u00ad]")
_NAME: Final = re.compile(r"(?:name|نام)\b\s*[:：]?\s*(\S.*)", re.I)
_CALLED: Final = re.compile(
    r"(.*?)[\s,،.!:;\-]+(?:(?:and )?(?:my name is|call me|as|name:|name is)|با نام|به نام|نام من|اسمم|اسم من)"
    r"\s*:?\s+(\S.*)",
    re.I,
)
_JOIN_AS: Final = re.compile(
    r"(?:(?:i )?join|پیوستن|می‌پیوندم)[,،:\-]? +(?!(?:us|the|me|in|you|now|this|a)\b)([^\W\d_].*)", re.I
)
"""Joining, with a name right behind it."""
_LUCKY: Final = re.compile(
    r"(.*?)[\s,،.!:;\-]+(?:(?:and )?(?:my )?lucky words|(?:و )?کلمه[\u200c ]?های خوش[\u200c ]?یمن(?:م| من)?)"
    r"\s*[:：]\s*(\S.*)",
    re.I,
)
_GREETING: Final = re.compile(r"\s*(?:hi|hello|hey|dear|سلام)(?: \w+){1,2}\s*", re.I)
"""A greeting by name: whoever invites is known to the writer."""
_CLAUSES: Final = re.compile(r"[,،.!;؛:]+|\s-+\s")

_ANSWERS: Final = {
    "join": (
        "join, i join, to join, love to join, i'd love to join, i would love to join, happy to join, glad to join,"
        " i'd be happy to join, i'll join, i will join, i want to join, join in, join you, join the game,"
        " join the table, i'll join the game, i'd love to join the game, i accept, accept, count me in, i'm in,"
        " i am in, deal me in, i'd love to play, i would love to play, let's play, i'll play, i want to play,"
        " پیوستن, می‌پیوندم, به بازی می‌پیوندم, من هستم, منم هستم, قبول می‌کنم, می‌پذیرم, پایه‌ام,"
        " پایه هستم, بازی می‌کنم, می‌آیم, من می‌آیم, من هم می‌آیم, میام, من میام, منم میام, من هم میام, حتما می‌آیم,"
        " حتما میام, of course i'm in, i'm definitely in, definitely in, i'm so in"
    ),
    "yes": (
        "yes, yes please, yep, yeah, sure, of course, gladly, with pleasure, i'd love to, i would love to,"
        " بله, آره, با کمال میل, حتما, چشم"
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
"""The phrases of each answer. A yes agrees with joining, and alone is too little to sit somebody down."""
_ANSWER_OF: Final = {
    fold(phrase.strip()): answer for answer, phrases in _ANSWERS.items() for phrase in phrases.split(",")
}


def read_invitation_line(line: str, paragraph: str) -> Command:
    """Return what a line says to an invitation. Every part of it has to be known, and all to say the same."""
    if _DIRECTION_OVERRIDES.search(line):
        return not_understood("turned", line)
    if lucky := _LUCKY.fullmatch(_INVISIBLE_MARKS.sub("", line[:_LONGEST]).strip()):
        said = read_invitation_line(lucky[1], paragraph)
        return replace(said, words=lucky[2]) if said == InvitationReply("join", getattr(said, "name", "")) else said
    if named := _NAME.fullmatch(_INVISIBLE_MARKS.sub("", line)):
        return ChooseName(named[1]) if len(line) <= _LONGEST else not_understood("too-long", line)
    plain = plain_line(_INVISIBLE_MARKS.sub("", line[:_LONGEST]))
    if answer := _answer(plain):
        return InvitationReply(answer)
    if (called := _CALLED.fullmatch(plain)) and _answer(called[1]) == "join":
        return InvitationReply("join", called[2].rstrip(" .!"))
    if (named := _JOIN_AS.fullmatch(plain)) and _is_name(named[1].rstrip(" .!")):
        return InvitationReply("join", named[1].rstrip(" .!"))
    if answer := _answer(plain, is_friendly=True):
        return InvitationReply(answer)
    return not_understood("not-read", line)


def _is_name(text: str) -> bool:
    """Return whether a text looks like somebody's name: one word or two with capitals."""
    return len(text.split()) <= _MOST_NAME_WORDS and text.istitle()


def _answer(text: str, *, is_friendly: bool = False) -> Answer | None:
    """Return the answer on which all clauses agree; None where they do not, or one is not known.

    Where that ``is_friendly``, what is not known may stand behind the answer, unless it may change it.
    """
    said = [*_clauses(text)]
    while is_friendly and len(said) > 1 and not said[-1][0] and not may_change(said[-1][1]):
        said.pop()
    match sorted({answer for answer, _ in said}):
        case ["join"] | ["join", "yes"]:
            return "join"
        case ["no"]:
            return "no"
        case ["never"]:
            return "never"
    return None


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield what each clause says that is no mere courtesy, blank where it is not known, and the clause itself."""
    for clause in filter(str.strip, _CLAUSES.split(text)):
        exact = _ANSWER_OF.get(fold(clause))
        if exact or not (says_nothing(clause) or _GREETING.fullmatch(clause)):
            yield exact or _ANSWER_OF.get(fold(without_courtesies(clause.strip())), ""), clause
