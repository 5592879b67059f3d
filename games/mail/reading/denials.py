"""Denials: a player who says no to all other answers of a question gives the remaining answer."""

import re
from collections.abc import Callable, Collection
from typing import Final

_CLAUSE: Final = re.compile(r"\s*[,;.!،؛]+\s*|\s+(?:and|nor|و)\s+")
_DENIED: Final = (
    re.compile(
        r"(?:(?:i|we) )?(?:no|not|won't|will not|don't|do not|wouldn't|dont|wont|without)(?: (?:to|a|any|the|my))?"
        r" (?P<verb>.+?)(?: from me| it| this| that| you| her| him| them)?"
    ),
    re.compile(r"(?P<verb>.+?) ?(?:نمی ?(?:کنم|زنم|گیرم)|ندارم)"),
    re.compile(r"(?:بدون|نه) (?P<verb>.+)"),
)


def leaves_only(line: str, verb: str, others: Collection[str], verbs_of: Callable[[str], Collection[str]]) -> bool:
    """Return whether a folded line leaves only the answer ``verb``: it denies all others, or it names ``verb`` too.

    ``verbs_of`` returns the verbs that a piece of text may mean, or nothing for other text.
    """
    clauses = [clause for clause in _CLAUSE.split(line) if clause]
    denied = [_denied(clause, verbs_of) for clause in clauses]
    affirmed = [clause for clause, verbs in zip(clauses, denied, strict=True) if not verbs]
    denied_verbs = {verb for verbs in denied for verb in verbs}
    if not denied_verbs or not denied_verbs <= {*others} or any({*verbs_of(clause)} != {verb} for clause in affirmed):
        return False
    return bool(affirmed) or denied_verbs == {*others}


def _denied(clause: str, verbs_of: Callable[[str], Collection[str]]) -> Collection[str]:
    """Return the verbs that a clause denies, or nothing."""
    matches = (pattern.fullmatch(clause) for pattern in _DENIED)
    return next((verbs for match in matches if match and (verbs := verbs_of(match["verb"]))), ())
