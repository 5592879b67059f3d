"""A finding of the doctor: a check, its verdict, what was found and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The verdict of a check."""

    OK = "ok"
    WRONG = "wrong"
    UNCHECKED = "not checked"
    """It could not be checked, or there is nothing to check."""


@dataclass(frozen=True)
class Finding:
    """One thing that a check has found."""

    check: str
    verdict: Verdict
    found: str
    """A sentence with the value that was found."""
    advice: str = ""
    """The advice; blank where nothing is to be done."""


def ok(check: str, found: str) -> Finding:
    """Nothing is to be done."""
    return Finding(check, Verdict.OK, found)


def wrong(check: str, found: str, advice: str) -> Finding:
    """Something is to be done."""
    return Finding(check, Verdict.WRONG, found, advice)


def unchecked(check: str, found: str, advice: str = "") -> Finding:
    """Nobody knows."""
    return Finding(check, Verdict.UNCHECKED, found, advice)
