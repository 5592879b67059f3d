"""Plain values: numbers, words, lines of text."""

import re
from collections.abc import Sequence
from typing import Final

import environ
from django.core.exceptions import ImproperlyConfigured

DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_env = environ.Env()


def text(name: str, default: str = "") -> str:
    """Return the value of a variable, or the default if it is unset."""
    return str(_env.str(name, default=default))


def number(name: str, default: int, lowest: int, highest: int) -> int:
    """A whole number within bounds. ImproperlyConfigured otherwise."""
    written = text(name, str(default)).strip()
    if not (written.isascii() and written.isdigit() and lowest <= int(written) <= highest):
        raise ImproperlyConfigured(f"{name} must be a whole number from {lowest} to {highest}, not {written!r}.")
    return int(written)


def one_of(name: str, values: Sequence[str]) -> str:
    """Return the value, which must be one of these words. The default is the first one. Raises ImproperlyConfigured."""
    written = text(name).strip().lower() or values[0]
    if written not in values:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(values)}, not {written!r}.")
    return written


def some_of(name: str, values: Sequence[str]) -> list[str]:
    """The values among these that a list separated by commas names; all if unset. ImproperlyConfigured else."""
    said = [each.strip() for each in text(name).split(",") if each.strip()]
    if unknown := [each for each in said if each not in values]:
        raise ImproperlyConfigured(f"{name} lists {', '.join(values)}, separated by commas; not {unknown[0]!r}.")
    return said or list(values)


def flag(name: str) -> bool:
    """Return whether something is wanted that is off unless it is said: ``yes`` or ``no``. ImproperlyConfigured
    otherwise.
    """
    written = text(name).strip().lower() or "no"
    if written not in ("yes", "no"):
        raise ImproperlyConfigured(f"{name} must be yes or no, not {written!r}.")
    return written == "yes"


def line(name: str, longest: int) -> str:
    """Return a line of text of limited length, or an empty string if unset. Raises ImproperlyConfigured."""
    written = text(name).strip()
    if len(written) > longest or not written.replace("\u200c", "").isprintable():
        raise ImproperlyConfigured(f"{name} must be one line of at most {longest} characters.")
    return written


def label(name: str, default: str) -> str:
    """A label of a domain name. ImproperlyConfigured otherwise."""
    chosen = text(name, default).strip().lower()
    if not DOMAIN.fullmatch(chosen):
        raise ImproperlyConfigured(f"{name} must be letters, digits and hyphens, such as {default}, not {chosen!r}.")
    return chosen


def digits(name: str, count: int) -> str:
    """A number of hexadecimal digits; blank if unset. ImproperlyConfigured otherwise."""
    written = text(name).strip().lower()
    if written and not re.fullmatch(f"[0-9a-f]{{{count}}}", written):
        raise ImproperlyConfigured(f"{name} must be {count} hexadecimal digits.")
    return written


def optional_number(name: str, lowest: int, highest: int) -> int | None:
    """A whole number within bounds; None if unset. ImproperlyConfigured otherwise."""
    return number(name, lowest, lowest, highest) if text(name).strip() else None


def require_scheme(name: str, url: str, known: tuple[str, ...], example: str) -> None:
    scheme = url.partition("://")[0]
    if scheme not in known:
        raise ImproperlyConfigured(f"{name} must be a URL such as {example}; {scheme!r} is not a kind that is known.")
