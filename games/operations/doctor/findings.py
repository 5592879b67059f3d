"""Findings of the doctor: a check, its verdict, the facts and the advice."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The verdict of a check."""

    OK = "ok"
    WRONG = "wrong"
    UNCHECKED = "not checked"
    """The check was not possible, or not needed."""


@dataclass(frozen=True)
class Finding:
    """The result of a check."""

    check: str
    verdict: Verdict
    result: str
    """A sentence with the value that was found."""
    advice: str = ""
    """The advice, or blank if nothing needs to be done."""


def ok(check: str, result: str) -> Finding:
    """Return a finding that needs no action."""
    return Finding(check, Verdict.OK, result)


def wrong(check: str, result: str, advice: str) -> Finding:
    """Return a finding that needs action."""
    return Finding(check, Verdict.WRONG, result, advice)


def unchecked(check: str, result: str, advice: str = "") -> Finding:
    """Return a finding that could not be checked."""
    return Finding(check, Verdict.UNCHECKED, result, advice)
