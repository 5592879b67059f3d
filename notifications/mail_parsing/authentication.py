"""The findings about a sender that the operator's own mail server writes into headers (RFC 8601)."""

import re
from typing import Final

from notifications.mail_parsing.headers import Headers
from notifications.mail_parsing.parsed_mail import Authentication

_COMMENT: Final = re.compile(r"\([^()]*+\)")
_METHOD: Final = re.compile(r"\s*(dmarc|dkim|spf)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)\b(.*)", re.I | re.S)
_PROPERTY: Final = re.compile(r"\b(header\.from|header\.d|header\.i|smtp\.mailfrom)\s*=\s*\"?([^\s;\"]+)", re.I)


def result(headers: Headers, sender: str, server: str) -> Authentication:
    """Return whether the mail server named ``server`` has confirmed that ``sender`` sent the email.

    Only fields with its name that stand together at the top, above the next ``Received``, are used. The mail server
    must remove foreign fields with its name (RFC 8601, section 5). ``fail`` stands for a failed DMARC check or
    contradicting fields, ``pass`` for a passed check of the From address's domain.
    """
    domain = sender.rpartition("@")[2]
    findings = [_finding(piece, domain) for value in _trusted_fields(headers, server) for piece in _pieces(value)]
    verdicts = {(method, verdict) for method, verdict, aligned in findings if aligned}
    if ("dmarc", "fail") in verdicts or {("dmarc", "pass"), ("dmarc", "none")} <= verdicts:
        return "fail"
    return "pass" if domain and any(verdict == "pass" for _, verdict in verdicts) else "none"


def _trusted_fields(headers: Headers, server: str) -> list[str]:
    trusted: list[str] = []
    for name, value in headers.fields if server else ():
        if name == "received" and trusted:
            break
        if name == "authentication-results" and _server_name(value) == server.lower():
            trusted.append(value)
    return trusted


def _server_name(value: str) -> str:
    return " ".join(_COMMENT.sub(" ", value).partition(";")[0].split()[:1]).lower()


def _pieces(value: str) -> list[str]:
    for _ in range(4):
        value = _COMMENT.sub(" ", value)
    return value.split(";")[1:]


def _finding(piece: str, domain: str) -> tuple[str, str, bool]:
    """Return the method and the verdict of one check, and whether it is about this domain."""
    match = _METHOD.match(piece)
    if match is None:
        return "", "", False
    domains = [value.rpartition("@")[2].lower().rstrip(".") for _, value in _PROPERTY.findall(match[3])]
    is_aligned = any(
        "." in own_domain and (domain == own_domain or domain.endswith(f".{own_domain}")) for own_domain in domains
    )
    method, verdict = match[1].lower(), match[2].lower()
    return method, verdict, is_aligned or (method, verdict) == ("dmarc", "fail")
