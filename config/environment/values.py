"""Plain values from environment variables: numbers, words, lines of text."""

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
    """Return a whole number within bounds. Raises ImproperlyConfigured."""
    value = text(name, str(default)).strip()
    if not (value.isascii() and value.isdigit() and lowest <= int(value) <= highest):
        raise ImproperlyConfigured(f"{name} must be a whole number from {lowest} to {highest}, not {value!r}.")
    return int(value)


def one_of(name: str, values: Sequence[str]) -> str:
    """Return the value, which must be one of these words. The default is the first one. Raises ImproperlyConfigured."""
    value = text(name).strip().lower() or values[0]
    if value not in values:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(values)}, not {value!r}.")
    return value


def some_of(name: str, values: Sequence[str]) -> list[str]:
    """Return a list of some of these values, separated by commas, or all if unset. Raises ImproperlyConfigured."""
    words = [word.strip() for word in text(name).split(",") if word.strip()]
    if unknown := [word for word in words if word not in values]:
        raise ImproperlyConfigured(f"{name} lists {', '.join(values)}, separated by commas; not {unknown[0]!r}.")
    return words or list(values)


def flag(name: str) -> bool:
    """Return True for ``yes``, and False for ``no`` or if unset. Raises ImproperlyConfigured."""
    value = text(name).strip().lower() or "no"
    if value not in ("yes", "no"):
        raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")
    return value == "yes"


def line(name: str, longest: int) -> str:
    """Return a line of text of limited length, or an empty string if unset. Raises ImproperlyConfigured."""
    value = text(name).strip()
    if len(value) > longest or not value.replace("\u200c", "").isprintable():
        raise ImproperlyConfigured(f"{name} must be one line of at most {longest} characters.")
    return value


def label(name: str, default: str) -> str:
    """Return a label of a domain name. Raises ImproperlyConfigured."""
    value = text(name, default).strip().lower()
    if not DOMAIN.fullmatch(value):
        raise ImproperlyConfigured(f"{name} must be letters, digits and hyphens, such as {default}, not {value!r}.")
    return value


def digits(name: str, count: int) -> str:
    """Return hexadecimal digits of this length, or an empty string if unset. Raises ImproperlyConfigured."""
    value = text(name).strip().lower()
    if value and not re.fullmatch(f"[0-9a-f]{{{count}}}", value):
        raise ImproperlyConfigured(f"{name} must be {count} hexadecimal digits.")
    return value


def optional_number(name: str, lowest: int, highest: int) -> int | None:
    """Return a whole number within bounds, or None if unset. Raises ImproperlyConfigured."""
    return number(name, lowest, lowest, highest) if text(name).strip() else None


def require_scheme(name: str, url: str, schemes: tuple[str, ...], example: str) -> None:
    scheme = url.partition("://")[0]
    if scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must be a URL such as {example}; {scheme!r} is not a kind that is known.")
