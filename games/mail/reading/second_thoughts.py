"""Second thoughts: words beside an answer that may take it back or change it. Then neither is read, and we ask back."""

import re
from typing import Final

from games.engine.reading import fold

_MOST_WORDS: Final = 20
_CHANGING: Final = re.compile(
    r"[\d?؟/\\<>{}|$]|n't\b|\b(?:no|not|never|wait|but|actually|instead|unless|if|kidding|joking|joke|rather"
    r"|except|or"
    r"|cancel|undo|changed?|maybe|perhaps|resign|said|says?|tells?|told|thinks?|thought|means?|meant|wrote"
    r"|would|should|might|was (?:my|the|his|her)|next|later|tomorrow|tonight|another time|hold on|hang on|oops"
    r"|mistake|wrong|as if|yeah right|in theory"
    r"|i wish|for example|pretend|suppose|opposite|unsure|undecided|think about|whatever|someday|some day|when"
    r"|once|until|before|after|as soon"
    r"|نه|ولی|اما|اگر|اگه|شاید|شوخی|یا|صبر|انصراف|پشیمان|پشیمون|بلکه|مگر|نیست|وقتی|بعدا|گفت\w*|میگه|میگوید|باید"
    r"|فردا|امشب|پس ?فردا|بعدش|سپس|مثلا|برعکس|دست نگه|یه لحظه|یک لحظه|وایسا|وایستا|اشتباه|غلط|کاش|ن\u200c?می\w*)\b"
)
_SECOND_THOUGHT: Final = re.compile(
    r"\W*(?:(?:p\.? ?s\.?|edit|update|پ\.? ?ن\.?|پی\u200c?نوشت|oh|ah|sorry|hm+|ehm|oops|ups|ببخشید|اوه)\W+)*"
    r"(?:actually|wait|no(?=[,.!:; \-]*$|[,.!:;]| wait)|not\b|or\b"
    r"|rather|instead|on second thought|scr(?:atch|ap) (?:that|it)|strike that"
    r"|never ?mind|forget|ignore|correction|undo|cancel"
    r"|(?:only|just)? ?(?:kidding|joking)|i (?:changed|take (?:it|that) back|mean|meant)"
    r"|یا\b|صبر|نه(?=\W|$)|اشتباه|منظورم|پشیمان|پشیمون"
    r"|ولش کن|بی ?خیال|شوخی)"
)


def may_change(tail: str) -> bool:
    """Return whether what stands behind an answer in the same line may mean another one, or none."""
    return len(tail.split()) > _MOST_WORDS or bool(_CHANGING.search(fold(tail)))


def is_second_thought(folded: str) -> bool:
    """Return whether a folded line takes back, or changes, what the lines above it say."""
    return bool(_SECOND_THOUGHT.match(folded))
