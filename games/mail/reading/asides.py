"""Remarks beside an answer: a card that the sender claims to hold (“Allow, I have no duke”), or idle phrases.

Only phrases in this module count as harmless. Any other text beside an answer may change it.
"""

import re
from dataclasses import dataclass
from typing import Final

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
    rf"{_WHY}(?:(?:there is |there's )?nothing (?:else )?(?:i|we) can do(?: about it)?(?: anyway)?|nothing personal"
    r"|nothing (?:fancy|special|new|exciting)|no hard feelings|no worries|no regrets|can't be helped"
    r"|i can't help it|it's not personal|not my (?:lucky )?day|oh well|you know me"
    r"|(?:see|talk to|write to|catch) (?:you|u|ya)(?: all)?(?: again)? (?:later|soon|tomorrow|tonight|then"
    r"|around|next (?:time|week)|on \w+day)"
    r"|(?:تا|فردا|امشب|بعدا|به زودی) (?:فردا|بعد|میبینمت|میبینمتون)"
    r"|(?:(?:i|we)(?:'ve got| have got| have| got) )?no (?:more |other |better )?(?:money|coins|cash|choice"
    r"|luck|option|idea"
    r"|options|alternative|ideas)(?: for (?:you|him|her|them))?(?: left| today| at all| anyway| this time)?"
    r"|i (?:don't|do not|dont) (?:care|mind|need (?:it|her|him|them|that)|like (?:it|her|him|them))"
    r"(?: any ?more| anyway| at all| really)?"
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
