"""Parsers of replies to an invitation, and to an email with several questions.

An invitation asks “Do you want to play?”. It is answered by yes, no or never in the usual words, or by a name.
In a reply to several questions each line begins with the code of its game.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
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
from notifications.mail_parsing.parser import Content, SenderText

Answer = Literal["join", "no", "never"]

_LONGEST: Final = 200
_MOST_NAME_WORDS: Final = 2
_MOST_WORDS_OF_YES: Final = 3
"""The most words of a yes or no before another answer of the same clause: “with great pleasure I'll play”."""
_QUOTED: Final = re.compile(r'\s*["“„«]([^"“”„«»]+)["”»](\s[^"“”„«»]*)?')
"""A line in quotation marks, or one whose beginning is in quotation marks, as our emails show examples."""
_NAME: Final = re.compile(r"(?:name|نام)\b\s*[:：]?\s*(\S.*)", re.I)
_CALLED: Final = re.compile(
    r"(?P<answer>.*?)[\s,،.!:;\-]+(?:(?P<capital>(?:and )?(?:(?:please|just|you can|you may) )?call me|as)"
    r"|(?:and )?(?:my )?name(?: is|:)"
    r"|با نام|به نام|نام من|اسمم|اسم من)\s*:?\s+(?P<name>\S.*)",
    re.I,
)
"""An acceptance and a name. Behind “call me” and “as” it needs a capital: “Yes, as promised” and “OK, call me soon”."""
_NAME_WORD: Final = re.compile(r"[^\W_][^\s?؟,،;؛:!@/()]*")
_DAY: Final = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|later", re.I)
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
_CLAUSES: Final = re.compile(r"[,،.!;؛:]+|\s-+\s|(?<=[?؟])\s+")

_ANSWERS: Final = {
    "join": (
        "join, i join, to join, love to join, join in, join you, join the game, joining, joining the game,"
        " join the table, i accept, accept, of course i'm in, definitely in,"
        " پیوستن, پیوستن به بازی, به بازی می‌پیوندم, منم هستم, قبول می‌کنم, می‌پذیرم, منم میام"
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
        "no, nope, not this time, not now, i decline, decline, sorry no, i have no time, no time,"
        " but no, but not this time, but not now, i don't have time, i have to decline,"
        " ولی نه, ولی فعلا نه, فعلا نه, ولی این بار نه, نه, خیر, نه ممنون, نه مرسی, این بار نه, وقت ندارم, فرصت ندارم,"
        " این بار نمی‌تونم, این بار نمی‌توانم, نمی‌رسم"
    ),
    "never": "never, never again, هرگز",
}
"""The phrases of each answer that ``_PATTERNS`` does not match.

“Yes” agrees with joining, also if the other clause asks for a name.
"""
_NEVER: Final = re.compile(
    r"no (?:e-?mail|invitation)s? from darbar to this address,? ever again"
    r"|قطع همیشگی (?:ایمیل|دعوت)‌های دربار به این نشانی",
    re.I,
)
"""The labels of the answer ``never``, which contain commas."""
_ANSWER_OF: Final = {
    fold(phrase.strip()): answer for answer, phrases in _ANSWERS.items() for phrase in phrases.split(",")
}
_GAME: Final = (
    r"(?: (?:in|too|as well|again|along|it|this(?: one)?|you(?: all)?"
    r"|with (?:you|you all|you guys|everyone|all of you|him|her|them)"
    r"|(?:the|this|your|that|a|another) (?:game|table|round|match)|(?:a )?(?:game|round) of \w+"
    r"|very much|so much|a lot))*"
)
_PLAY: Final = rf"(?:play|join|take part|participate|be (?:in|there|part of it)|come)(?: in| with)?{_GAME}"
_SURELY: Final = "(?:really|also|very much|definitely|certainly|still|absolutely)"
_WHY_NOT: Final = (
    r"(?: (?:in (?:this|it|playing|the game|this game|games?)|this time|now|right now|today|at the moment|at all"
    r"|any ?more|thanks|thank you|sorry))*"
)
_PATTERNS: Final[tuple[tuple[Answer, re.Pattern[str]], ...]] = (
    (
        "join",
        re.compile(
            rf"i(?:'d| would)(?: {_SURELY})? (?:like|love|be (?:happy|glad|delighted|pleased|honou?red)) to {_PLAY}"
            rf"|i(?: do)?(?: {_SURELY})? (?:want to|wish to|wanna) {_PLAY}"
            rf"|i(?:'m| am) (?:happy|glad|delighted|pleased|going|ready|keen|eager|willing|excited) to {_PLAY}"
            rf"|i(?:'ll| will)(?: (?:gladly|happily|definitely|certainly|surely|also))? {_PLAY}"
            rf"|(?:we'll|let me|let's|let us|i can) {_PLAY}|(?:want|wanna|ready|happy|glad|keen)(?: to)? {_PLAY}"
            r"|(?:please )?(?:count|deal|sign|put|add) (?:me|us) (?:in|up|down)(?: too| as well| for (?:it|this|that))?"
            r"|(?:i'm|i am)(?: (?:so|definitely|totally|all|also|certainly))? (?:in|up for (?:it|this|that|a game)|on"
            r" board|playing|joining|coming)(?: too| as well)?"
            r"|(?:من )?(?:هم |خیلی |حتما |واقعا )*(?:می ?خواهم|می ?خوام|دوست دارم|مایلم|علاقه دارم|حاضرم|مایل هستم)"
            r"(?: که)?(?: (?:با شما|باهاتون|باهات|هم|توی بازی|در بازی|در این بازی|این بازی))*"
            r" (?:بازی (?:کنم|بکنم)|شرکت کنم|باشم|بیایم|بیام|(?:به بازی )?بپیوندم)"
            r"|(?:من )?(?:هم )?پایه ?(?:ی بازی ?)?(?:ام|م|هستم)"
            r"|(?:من )?(?:هم )?(?:حتما )?(?:بازی می ?کنم|شرکت می ?کنم|می ?ایم|میام|هستم|می ?پیوندم)"
        ),
    ),
    (
        "no",
        re.compile(
            rf"(?:i'm |i am )?(?:really |sadly |just |currently )?(?:not|un)(?: ?(?:really|so))? ?interested{_WHY_NOT}"
            rf"|i have no interest{_WHY_NOT}"
            rf"|i (?:don't|do not|dont|didn't)(?: really)? (?:want|wish|wanna|feel like)"
            rf"(?: to)?(?: (?:{_PLAY}|playing|joining|it|games?|such games?|this game|any))?{_WHY_NOT}"
            rf"|i(?:'m| am) (?:afraid|sorry) i (?:can't|cannot|won't)(?: {_PLAY}| make it)?{_WHY_NOT}"
            rf"|i(?:'m| am) (?:not (?:going to|able to|in the mood to|keen to|up for) {_PLAY}"
            r"|not (?:in|playing|joining|in the mood)|out)"
            rf"|i (?:can't|cannot|can not|won't|will not|shan't|would not|wouldn't)(?: like to)?"
            rf"(?: (?:be able to )?(?:{_PLAY}|make it))?{_WHY_NOT}"
            rf"|i(?:'d| would) (?:rather|prefer) not(?: to)?(?: {_PLAY})?{_WHY_NOT}"
            rf"|(?:i'll|i will|i'd|i) (?:have to |need to |rather )?(?:pass|sit this one out|skip(?: this(?: one)?)?"
            rf"|say no)(?: on this(?: one)?)?{_WHY_NOT}"
            r"|(?:please )?(?:count|leave|deal) (?:me|us) out|not for me|not my (?:thing|game|cup of tea)"
            r"|(?:maybe |perhaps )?(?:another|some other|next) time|no(?:t)? (?:thanks|thank you|thx|ty)"
            r"|(?:من )?(?:فعلا |دیگه |دیگر |الان )*(?:نمی ?خواهم|نمی ?خوام|دوست ندارم|مایل نیستم|حوصله (?:اش را )?ندارم"
            r"|علاقه ?(?:ای|ای به بازی)? ?ندارم)(?: (?:که )?(?:بازی کنم|شرکت کنم|باشم|بیام))?"
            r"|(?:من )?(?:هم )?(?:بازی نمی ?کنم|شرکت نمی ?کنم|نمی ?ایم|نمیام|نیستم|نمی ?تو(?:ا)?نم(?: بازی کنم| بیام)?)"
        ),
    ),
    (
        "never",
        re.compile(
            r"(?:please )?(?:don't|do not|dont|never)(?: ever)? (?:e-?mail|mail|write|contact|invite|send)(?: to)?"
            r" (?:me|us|here|(?:to )?(?:this|my) (?:e-?mail )?address)"
            r"(?: (?:anymore|more|any|these|such|e-?mails?|mails?|invitations?|again|ever))*"
            r"|i (?:don't|do not) want (?:any |to get |to receive |these |your |more )*"
            r"(?:e-?mails?|invitations?)(?: (?:any ?more|again|from you|from darbar))*"
            r"|(?:دیگر |دیگه |لطفا )*(?:(?:به|برای) من |برام |بهم )?(?:دیگر |دیگه )?(?:ایمیل|دعوت ?نامه|دعوت|پیام)"
            r" (?:نزن(?:ید|ین)?|نفرست(?:ید|ین)?|ندهید|نده|ندید|ندین|نمی ?خواهم|نمی ?خوام)"
        ),
    ),
)
"""Sentences of each answer."""


_BUSY: Final = re.compile(
    r"(?:(?:but|because|as|since|sorry|honestly|unfortunately) )*"
    r"(?:(?:i'm|i am|we're|we are) (?:\w+ )?"
    r"(?:busy|tired|ill|sick|travelling|traveling|away|on holiday|on vacation|swamped)"
    r"|(?:i|we)(?:'ve got| have got| have)"
    r" (?:\w+ ){0,3}?(?:exams?|work|guests|deadlines?|meetings|visitors|plans|to work|to do))"
    r"(?: (?:until|till|in|for|on|at|with) (?:\w+ ?){1,3})?(?: (?:now|right now|at the moment|today|these days|lately"
    r"|this (?:week|month|year)))?"
    r"|(?:(?:راستش|ولی|اما|چون|متاسفانه) )*(?:این (?:روزها|روزا|هفته|ماه) )?(?:(?:خیلی|یه کم|کمی|واقعا) )?"
    r"(?:سرم (?:خیلی )?شلوغ(?:ه| است)|گرفتارم|(?:امتحان|کار|مهمان|مهمون) دارم)"
)
"""Reasons for a refusal."""
_UNKNOWN_SENDER: Final = re.compile(
    r"who (?:are you|is this|sent this)[?؟]?"
    r"|(?:where|how) did you get (?:my|this) (?:e-?mail )?(?:address|e-?mail)[?؟]?"
    r"|i don't know (?:you|anyone here|who you are|this person)|(?:you have )?(?:the )?wrong (?:address|person)"
    r"|(?:شما )?کی هستید[?؟]?|شما را نمی ?شناسم|اشتباه گرفته ?اید"
)
"""Sentences of someone who wants no emails from an unknown sender."""
_SADLY: Final = re.compile(r"(?:unfortunately|sadly|regrettably|alas|متاسفانه) ")


def _answer_of(clause: str) -> str:
    """Return the answer of a clause, also of one such as “Yes I want to play”, or a blank text."""
    for text in (fold(clause), fold(without_courtesies(clause.strip()))):
        if answer := _known_answer(text):
            return answer
        words = text.split()
        for count in range(1, min(len(words), _MOST_WORDS_OF_YES + 1)):
            head, rest = " ".join(words[:count]), " ".join(words[count:])
            match _known_answer(head), _known_answer(rest) or _known_answer(without_courtesies(rest)):
                case (("yes" | "join"), ("yes" | "join")):
                    return "join"
                case "no", ("no" | "never") as answer:
                    return answer
    return ""


def _known_answer(folded: str) -> str:
    text = _SADLY.sub("", folded)
    return _ANSWER_OF.get(text) or next((answer for answer, form in _PATTERNS if form.fullmatch(text)), "")


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
        return _chosen_name(name_match[1], line)
    plain = plain_line(INVISIBLE_MARKS.sub("", line[:_LONGEST]))
    if answer := _answer(plain):
        return InvitationReply(answer)
    introduction = _CALLED.fullmatch(plain)
    if introduction and _answer(introduction["answer"]) != "join":
        introduction = None
    if introduction and _is_called(introduction):
        return InvitationReply("join", introduction["name"].rstrip(" .!"))
    if (name_match := _JOIN_AS.fullmatch(plain)) and _is_name(name_match[1].rstrip(" .!")):
        return InvitationReply("join", name_match[1].rstrip(" .!"))
    if answer := _answer(plain, sender):
        return InvitationReply(answer)
    if begun := _begun_answer(plain, sender) or (introduction and ("join", introduction["name"])):
        return not_understood("unclear-text", begun[1], reading=InvitationReply(begun[0]))
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
        answer = _agreed_answer(pieces[:index])
        if answer and find_unclear([clause], sender):
            return answer, clause
    return None


def _is_called(introduction: re.Match[str]) -> bool:
    """Return whether the text behind “call me”, “as” or “my name is” is a name."""
    words = introduction["name"].rstrip(" .!").split()
    if not all(map(_NAME_WORD.fullmatch, words)) or _DAY.fullmatch(words[0]) or not may_be_name(" ".join(words)):
        return False
    return not introduction["capital"] or all(word[0].isalpha() and not word[0].islower() for word in words)


def _chosen_name(name: str, line: str) -> Command:
    """Return the name behind the word “name”, unless it is a sentence."""
    if len(line) > _LONGEST:
        return not_understood("too-long", line)
    words = " ".join(word for word in _NICKNAME.sub("", name).split() if word.lower() not in _PARTICLES)
    return ChooseName(name) if may_be_name(words) else not_understood("not-read", line)


_NICKNAME: Final = re.compile('[“„"«][^”"»]*[”"»]')
_PARTICLES: Final = frozenset(("the", "of", "from", "and", "a"))
"""Words within a name: “Kaveh the Smith”."""


def _is_name(text: str) -> bool:
    """Return whether a text looks like a name: one or two words with capitals."""
    return len(text.split()) <= _MOST_NAME_WORDS and text.istitle()


def _answer(text: str, sender: SenderNames | None = None) -> Answer | None:
    """Return the answer of a text, or None. With ``sender``, small talk of that sender may stand beside the answer."""
    clauses = [*_clauses(text)]
    if sender:
        clauses = [(answer, clause) for answer, clause in clauses if answer or find_unclear([clause], sender)]
    return _agreed_answer(clauses)


def _agreed_answer(clauses: Sequence[tuple[str, str]]) -> Answer | None:
    """Return the answer on which all clauses agree. None if they differ or one is not known.

    Reasons may stand beside a refusal.
    """
    answers = {answer for answer, _ in clauses if answer}
    reasons = {clause for answer, clause in clauses if not answer}
    match sorted(answers):
        case ["join"] | ["join", "yes"] | ["yes"] if not reasons:
            return "join"
        case ["no"] if all(_BUSY.fullmatch(fold(reason)) for reason in reasons):
            return "no"
        case ["never"] | ["never", "no"] if all(_UNKNOWN_SENDER.fullmatch(fold(reason)) for reason in reasons):
            return "never"
    return None


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the answer in each clause, or a blank text, with the clause itself. Courtesies are left out."""
    text = _NEVER.sub(" never ", text)
    for clause in filter(str.strip, _CLAUSES.split(text)):
        answer = _answer_of(clause)
        if answer or not (says_nothing(clause) or _GREETING.fullmatch(clause)):
            yield answer, clause


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
