"""Text that may stand beside a command without changing it: courtesies, small talk and the sender's name.

This is a list of allowed text. All other text may cancel or change the command, so its sender is asked. All parsers of
email use it: for replies to questions, invitations and digests, and for email to the server's own address. Remarks
beside an answer may also claim to hold a card (“Allow, I have no duke”), or be idle phrases.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.engine.reading import fold
from games.mail.reading.courtesies import (
    ADDRESSEES,
    FAMILIES,
    GREETINGS,
    NO_NAMES,
    PHRASES,
    STRETCHED,
    plain_line,
    says_nothing,
)

_LONGEST: Final = 500
"""The longest line that is checked. No courtesy is longer."""
_MOST_WORDS: Final = 40
_WIDTH: Final = 40
"""The least length of a line that a mail program may have wrapped."""
_MOST_NAME_WORDS: Final = 4
_MOST_PLACE_WORDS: Final = 3
# Characters that change the order in which a line is shown, and invisible characters.
DIRECTION_OVERRIDES: Final = re.compile("[\u202d\u202e]")
INVISIBLE_MARKS: Final = re.compile("[\u202a-\u202c\u2066-\u2069\ufeff\u200b\u00ad]")
_BREAKS: Final = re.compile(
    r"\.{2,}|(?<!\w\.\w)(?<!\b[DMdm]r)(?<!\bProf)\.(?=\s|$)|[!,،;؛:…(){}\[\]|/~](?=\s|$|\W)|\s+[-–—=+]+(?:\s+|$)|[()\[\]]"
)
_QUESTION: Final = re.compile(r"\s*[?؟]")
_NAME_WORD: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|['.\u200c-](?=\w))*\.?")
_INITIAL: Final = re.compile(r"[A-Z]\.")
_CONTACT: Final = re.compile(
    r"(?:(?:tel|phone|mobile|mob|fax|cell|email|e-mail|mail|web|تلفن|همراه|ایمیل)[.: ]*)?"
    r"(?:\+?[\d() ./-]{6,25}|\S+@\S+\.\w+|<?(?:https?://|www\.)\S+>?)",
    re.I,
)


@dataclass(frozen=True)
class SenderNames:
    """The names that may stand below an email and in its courtesies."""

    own_words: frozenset[str] = frozenset()
    """The folded words of the sender's own names."""
    others: frozenset[str] = frozenset()
    """The folded words of the names of the other players."""


def sender_names(own_names: Collection[str], other_names: Collection[str] = ()) -> SenderNames:
    """Return a SenderNames from names."""
    return SenderNames(
        *(frozenset(word for name in names for word in words_in(name)) for names in (own_names, other_names))
    )


def find_unclear_clause(clauses: Sequence[str], sender: SenderNames, adds_nothing: Callable[[str], bool]) -> str:
    """Return the first clause that may change the command beside it, or a blank text."""
    is_closed = False
    for clause in filter(str.strip, clauses):
        if not _is_clear(clause, sender, adds_nothing, is_closed):
            return clause
        is_closed = _closes(clause, sender)
    return ""


def find_unclear(
    lines: Sequence[str], sender: SenderNames, adds_nothing: Callable[[str], bool] = lambda clause: False
) -> str:
    """Return the first line that may change the command above it, or a blank text.

    ``adds_nothing`` returns whether a clause changes nothing for reasons of the game.
    """
    is_closed = False
    for index, block in enumerate(_blocks(lines)):
        # A full name may stand below a gap without a closing.
        is_below_gap = index > 0 or not lines[0].strip()
        is_closed = is_closed or (is_below_gap and _is_full_name(block[0]))
        unclear = _first_unclear(block, sender, adds_nothing, is_closed)
        # The lines of a wrapped sentence have a meaning only together.
        if unclear and (not _is_wrapped(block) or _first_unclear([" ".join(block)], sender, adds_nothing, is_closed)):
            return unclear
        is_closed = is_closed or _closes(block[-1], sender) or any(map(_is_full_name, block))
    return ""


def _blocks(lines: Sequence[str]) -> list[list[str]]:
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _is_wrapped(block: Sequence[str]) -> bool:
    return len(block) > 1 and all(len(line) >= _WIDTH for line in block[:-1])


def _first_unclear(
    block: Sequence[str], sender: SenderNames, adds_nothing: Callable[[str], bool], is_closed: bool
) -> str:
    for line in block:
        if not _is_clear(line, sender, adds_nothing, is_closed):
            return line
        is_closed = is_closed or is_closing(line, sender) or _is_full_name(line)
    return ""


def _is_clear(line: str, sender: SenderNames, adds_nothing: Callable[[str], bool], is_closed: bool) -> bool:
    """Return whether a line changes nothing. ``is_closed`` is True below a closing or the sender's name."""
    if len(line) > _LONGEST or DIRECTION_OVERRIDES.search(line):
        return False
    if says_nothing(line) or (is_closed and (_is_signature(line) or _CONTACT.fullmatch(line.strip()))):
        return True
    clauses = [clause for clause in _clauses(line) if clause]
    for index, clause in enumerate(clauses):
        is_signed = index and index == len(clauses) - 1 and _closes(clauses[index - 1], sender)
        if not (
            is_courtesy(clause, sender)
            or adds_nothing(clause)
            or _is_own_name(clause, sender)
            or (is_signed and _is_signature(clause))
        ):
            return False
    return True


def _clauses(line: str) -> list[str]:
    return [clause.strip(" -–—=+*_~#") for clause in _BREAKS.split(line)]


def is_courtesy(clause: str, sender: SenderNames) -> bool:
    """Return whether a clause consists only of courtesies and small talk."""
    if says_nothing(clause) or is_idle(" ".join(words_in(clause))):
        return True
    text = _QUESTION.sub(" ?", plain_line(clause))
    words = words_in(text)
    if len(words) > _MOST_WORDS:
        return False
    if _is_made_of_courtesies(words, sender):
        return True
    *before, last = text.split() or [""]
    return bool(before) and last.istitle() and _is_signature(last) and _closes(" ".join(before), sender)


def _is_made_of_courtesies(words: Sequence[str], sender: SenderNames) -> bool:
    is_courtesy_until = [True] + [False] * len(words)
    for end in range(1, len(words) + 1):
        is_courtesy_until[end] = any(
            is_courtesy_until[start] and _is_courtesy(tuple(words[start:end]), sender) for start in range(end)
        )
    return is_courtesy_until[-1]


def words_in(text: str) -> list[str]:
    """Return the folded words of a text. A half-space separates words."""
    try:
        return fold(text.replace("\u200c", " ").replace("_", " ")).replace("!", " ").split()
    except Exception:
        return ["\ufffd"]


def _is_courtesy(words: tuple[str, ...], sender: SenderNames) -> bool:
    """Return whether some words together are one courtesy."""
    names = sender.own_words | sender.others
    return _is_known(tuple("{name}" if word.removesuffix("'s") in names else word for word in words))


@lru_cache(maxsize=8192)
def _is_known(words: tuple[str, ...]) -> bool:
    if "from" in words:  # “Greetings from Berlin”
        place = words[words.index("from") + 1 :]
        if 0 < len(place) <= _MOST_PLACE_WORDS and NO_NAMES.isdisjoint(place) and all(map(str.isalpha, place)):
            words = words[: words.index("from")]
            return not GREETINGS.isdisjoint(words) and _is_known(words)
    if "".join(words) in PHRASES or all(STRETCHED.fullmatch(word) for word in words):
        return True
    return any(
        not family.heads.isdisjoint(words) and all(word in family.words or word in ADDRESSEES for word in words)
        for family in FAMILIES
    )


def is_closing(line: str, sender: SenderNames) -> bool:
    """Return whether a line is the sender's name, or a courtesy below which people write their names."""
    return _closes(line, sender) or _is_own_name(line, sender)


def _closes(line: str, sender: SenderNames) -> bool:
    """Return whether people write their names below this line."""
    clause = next(filter(None, reversed(_clauses(line))), "")
    heads = (family.heads for family in FAMILIES if family.closes)
    return is_courtesy(clause, sender) and not frozenset().union(*heads).isdisjoint(words_in(plain_line(clause)))


def _is_own_name(text: str, sender: SenderNames) -> bool:
    words = [word.strip(".") for word in words_in(plain_line(text))]
    if len(words) > 1 and words[0] in sender.others and _is_signature(text):
        return True
    return not sender.own_words.isdisjoint(words) and all(
        word in sender.own_words or (len(word) == 1 and word.isalpha()) for word in words
    )


def _is_full_name(text: str) -> bool:
    """Return whether a line looks like a name of several words with capitals."""
    return len(text.split()) > 1 and text[:1].isupper() and _is_signature(text)


def _is_signature(text: str) -> bool:
    """Return whether a text looks like a name, perhaps with a title."""
    words = plain_line(text).strip(" -,،.").replace(",", " ").split()
    return 0 < len(words) <= _MOST_NAME_WORDS and all(
        _NAME_WORD.fullmatch(word)
        and not word[:1].islower()
        and (_INITIAL.fullmatch(word) or fold(word).strip(".") not in NO_NAMES)
        for word in words
    )


def may_be_name(text: str) -> bool:
    """Return whether a text can be a name: a word that may cancel a command must have a capital.

    “will” is also a name, if it is the only word.
    """
    words = plain_line(text).split()
    return words == ["will"] or all(word.istitle() or fold(word).strip(".") not in NO_NAMES for word in words)


_WHY: Final = r"(?:(?:because|since|as|cause|cos|and|so|well|sadly|unfortunately) )*"
_I: Final = rf"{_WHY}(?:i|we)"
_STILL: Final = r"(?: (?:really|still|also|just|only|already|do))*"
_CARD: Final = r"(?: (?:a|an|any|the|my|own))*(?P<many> (?:two|both|three))?(?P<card> .+?)"
_AT_LAST: Final = (
    r"(?:,? (?:after all|anyway|myself|too|either|here|this time|of course|again|as well|at all|now|today|sorry"
    r"|in my hand|on my side))*"
)
_HOLDING: Final = re.compile(
    rf"(?:{_I}(?:'m| am|'ve got|'ve){_STILL}|{_I}{_STILL} (?:have got|have|got|hold)){_CARD}{_AT_LAST}"
)
_NOT_HOLDING: Final = re.compile(
    rf"(?:(?:{_I}(?:{_STILL} (?:don't|do not|dont) (?:have|hold)|'m not| am not| haven't(?: got)?"
    rf"| (?:have|'ve got|have got|got|hold) no)|{_WHY}no){_CARD}){_AT_LAST}"
)
_HOLDING_IN_PERSIAN: Final = re.compile(
    r"(?:(?:چون|من|خودم|که|ما|متاسفانه|واقعا|هم) )*(?P<many>(?:دو ?تا|هر ?دو(?: ?تا)?"
    r"|سه ?تا) )?(?:هیچ )?(?P<card>.+?)"
    r"(?: (?:هم|که|رو|را))?(?P<verb> ?(?:ن?دار(?:م|یم)|نیستم|هستم)|ام)"
)
PRONOUNS: Final = frozenset({"one", "it", "him", "her", "them", "اونو", "آن را"})
"""Words for the card that an answer names."""
_HOPE: Final = (
    r"(?:and )?(?:(?:i (?:just )?)?hope|let's hope|hopefully|hoping)(?: that)? (?:nobody|no one|no-one|none of you"
    r"|you don't"
    r"|you do not|they don't)(?: (?:will|does|has|is|would))? (?:minds?|objects?|notices?|cares?|(?:stops?"
    r"|blocks?|challenges?|doubts?)"
    r"(?: me| it| that)?|(?:the|a|an) \w+)|(?:فقط )?امیدوارم (?:که )?(?:کسی|هیچ ?کس|هیچکی) \w+ (?:نکنه|نکند"
    r"|نداشته باشه)"
)
_IDLE: Final = re.compile(
    rf"{_WHY}(?:(?:there is |there's )?nothing (?:else )?(?:i|we) can do(?: about it)?(?: anyway)?"
    r"|nothing personal"
    r"|nothing (?:fancy|special|new|exciting|clever|interesting)(?: from me| from my side)?(?: today| this time)?"
    r"|no hard feelings|no worries|no regrets|can't be helped"
    r"|i can't help it|it's not personal|not my (?:lucky )?day|oh well|you know me"
    r"|(?:see|talk to|write to|catch) (?:you|u|ya)(?: all)?(?: again)? (?:later|soon|tomorrow|tonight|then"
    r"|around|next (?:time|week)|on \w+day)"
    r"|(?:تا|فردا|امشب|بعدا|به زودی) (?:فردا|بعد|میبینمت|میبینمتون)"
    r"|(?:(?:i|we)(?:'ve got| have got| have| got) )?no (?:more |other |better )?(?:money|coins|cash|choice"
    r"|luck|option|idea"
    r"|options|alternative|ideas)(?: for (?:you|him|her|them))?(?: left| today| at all| anyway| this time)?"
    r"|i (?:don't|do not|dont) (?:care|mind|need (?:it|her|him|them|that)|like (?:it|her|him|them))"
    r"(?: any ?more| anyway| at all| really)?"
    r"|(?:i've|i have|we've|we have) been (?:saving(?: up)?|waiting|hoping|dreaming)(?: (?:for|of) (?:this|it|that))?"
    r"(?: (?:for ages|for days|for weeks|so long|all (?:day|week|game)))*"
    r"|enjoy (?:your|the|my|those|these) (?:(?:two|three|[23]) )?(?:coins?|money|cash|loot)"
    r"|(?:(?:and|let's|we'll) )*see (?:who (?:minds|objects|cares|dares|blocks|challenges|stops me)|what happens)"
    r"|(?:(?:i|we)(?:'ve| have)? )?haven't played (?:this|it|that|one of these)(?: game)?"
    r" (?:in|for) (?:years|ages|months|a long time|a while|so long)"
    r"|(?:it has|it's) been (?:years|ages|a while|too long)"
    r"|my (?:cards|hand) (?:is|are|isn't|aren't)(?: (?:not|no|so|very|really|too|that|just))* (?:good|great|bad|awful"
    r"|terrible|horrible|useful|useless|any good|much use|the best|helpful|rubbish)"
    r"|کاری(?: هم)?(?: از دستم)? (?:نمی ?تو(?:ا)?نم (?:بکنم|کنم)|بر ?نمی ?(?:یاد|اید))"
    r"|چاره ?(?:ای|ی دیگه ?ای|ی دیگری)? (?:ندارم|نیست|نداریم)|(?:پول|سکه|شانس|انتخاب دیگه ?ای|راه دیگه ?ای) ندارم"
    r"|لازمش ندارم|لازم ندارمش|به دردم نمی ?خور(?:ه|د)|به کارم نمی ?(?:یاد|اید)"
    r"|(?:کارت ?ه?ا(?:یم|م|ی من)|دستم) (?:اصلا |زیاد )?(?:خوب|جالب|تعریفی|به درد ?بخور) (?:نیست(?:ن|ند)?|نداره)"
    rf"|{_HOPE})(?: (?:lol|ha(?:ha)+|mate|dear|dears|friend|friends|guys|folks|my friend|my dear|sorry|anyway"
    rf"|دیگه|دوستان))*"
)


@dataclass(frozen=True)
class ClaimedCard:
    """A card that the sender claims to hold or not to hold."""

    card: str
    is_denied: bool
    is_plural: bool


def is_idle(folded: str) -> bool:
    """Return whether a folded clause is a phrase that changes no answer."""
    return _IDLE.fullmatch(folded) is not None


def find_claimed_card(folded: str) -> ClaimedCard | None:
    """Return the card that a folded clause claims or denies, or None if the clause means something else."""
    for pattern, is_denied in ((_NOT_HOLDING, True), (_HOLDING, False)):
        if match := pattern.fullmatch(folded):
            return ClaimedCard(match["card"].strip(), is_denied, bool(match["many"]))
    if match := _HOLDING_IN_PERSIAN.fullmatch(folded):
        return ClaimedCard(match["card"].strip(), match["verb"].strip().startswith("ن"), bool(match["many"]))
    return None
