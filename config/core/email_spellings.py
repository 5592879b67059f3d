"""The spellings of an email address, and the one form in which addresses are stored and compared.

A domain has two forms: the letters that people read, such as «دربار.example», and the ``xn--`` form in ASCII, which
mail servers use. They name one mailbox. IDNA 2008 decides which letters are the same, as mail programs and browsers do.
Python's own codec follows IDNA 2003, where ``straße`` and ``strasse`` are one domain.
"""

import unicodedata
from typing import Final

import idna

_LONGEST: Final = 255
"""The most characters of a domain. ``idna`` takes long for longer ones."""
_PREFIX: Final = "xn--"


def ascii_domain(domain: str) -> str:
    """Return a domain in ASCII and lower case. A domain that has no such form is only put in lower case."""
    domain = domain.strip()
    if domain.isascii() or len(domain) > _LONGEST:
        return domain.lower()
    try:
        return idna.encode(domain, uts46=True).decode().lower()
    except UnicodeError:
        return unicodedata.normalize("NFC", domain).lower()


def canonical(address: str) -> str:
    """Return the form in which an address is stored and compared: lower case, with the domain in ASCII."""
    local, at, domain = address.strip().rpartition("@")
    return f"{unicodedata.normalize('NFC', local).lower()}{at}{ascii_domain(domain)}"


def mailbox_of(address: str) -> str:
    """Return the canonical address without the text after a plus sign, which all spellings of a mailbox share."""
    local, at, domain = canonical(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def readable(address: str) -> str:
    """Return an address as people write it. If its domain has other letters than ASCII, the ``xn--`` form follows."""
    local, at, domain = canonical(address).rpartition("@")
    if _PREFIX not in domain:
        return f"{local}{at}{domain}"
    try:
        letters = idna.decode(domain)
    except UnicodeError:
        return f"{local}{at}{domain}"
    return f"{local}{at}{letters} ({local}{at}{domain})"
