"""Findings of our own mail server about a sender (RFC 8601), and nobody else's word."""

import re
from typing import Final

from notifications.mail_parsing.headers import Headers
from notifications.mail_parsing.parsed_mail import Authentication

_COMMENT: Final = re.compile(r"\([^()]*+\)")
_METHOD: Final = re.compile(r"\s*(dmarc|dkim|spf)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)\b(.*)", re.I | re.S)
_PROPERTY: Final = re.compile(r"\b(header\.from|header\.d|header\.i|smtp\.mailfrom)\s*=\s*\"?([^\s;\"]+)", re.I)


def result(headers: Headers, sender: str, server: str) -> Authentication:
    """Return whether the server named ``server`` could confirm that ``sender`` sent this.

    Believed are only the fields that bear its name and stand together at the top, above the next
    ``Received``: it must itself remove strangers' fields of its name (RFC 8601, section 5). ``fail`` is
    a failed DMARC check or fields that contradict each other; ``pass`` is a passed check that is about
    the domain of the From address.
    """
    domain = sender.rpartition("@")[2]
    findings = [_finding(piece, domain) for value in _believed(headers, server) for piece in _pieces(value)]
    verdicts = {(method, verdict) for method, verdict, aligned in findings if aligned}
    if ("dmarc", "fail") in verdicts or {("dmarc", "pass"), ("dmarc", "none")} <= verdicts:
        return "fail"
    return "pass" if domain and any(verdict == "pass" for _, verdict in verdicts) else "none"


def _believed(headers: Headers, server: str) -> list[str]:
    believed: list[str] = []
    for name, value in headers.fields if server else ():
        if name == "received" and believed:
            break
        if name == "authentication-results" and _speaker(value) == server.lower():
            believed.append(value)
    return believed


def _speaker(value: str) -> str:
    return " ".join(_COMMENT.sub(" ", value).partition(";")[0].split()[:1]).lower()


def _pieces(value: str) -> list[str]:
    for _ in range(4):
        value = _COMMENT.sub(" ", value)
    return value.split(";")[1:]


def _finding(piece: str, domain: str) -> tuple[str, str, bool]:
    """One check: its method, its verdict, and whether it is about this domain."""
    found = _METHOD.match(piece)
    if found is None:
        return "", "", False
    about = [value.rpartition("@")[2].lower().rstrip(".") for _, value in _PROPERTY.findall(found[3])]
    aligned = any("." in each and (domain == each or domain.endswith(f".{each}")) for each in about)
    method, verdict = found[1].lower(), found[2].lower()
    return method, verdict, aligned or (method, verdict) == ("dmarc", "fail")
