"""Denials: whoever says no to every other answer of a question means the one that is left."""

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


def says_only(line: str, verb: str, others: Collection[str], verbs_of: Callable[[str], Collection[str]]) -> bool:
    """Return whether a folded line leaves nothing but the answer ``verb``: by denying all others, or by naming it
    beside what it denies.

    ``verbs_of`` gives the verbs that a piece of text may mean, and nothing for any other text.
    """
    clauses = [clause for clause in _CLAUSE.split(line) if clause]
    denied = [_denied(clause, verbs_of) for clause in clauses]
    named = [clause for clause, verbs in zip(clauses, denied, strict=True) if not verbs]
    found = {verb for verbs in denied for verb in verbs}
    if not found or not found <= {*others} or any({*verbs_of(clause)} != {verb} for clause in named):
        return False
    return bool(named) or found == {*others}


def _denied(clause: str, verbs_of: Callable[[str], Collection[str]]) -> Collection[str]:
    """Return the verbs that a clause denies; none where it denies nothing that is known."""
    found = (denied.fullmatch(clause) for denied in _DENIED)
    return next((verbs for said in found if said and (verbs := verbs_of(said["verb"]))), ())
