"""Checks of texts that accounts write for others: one line, without links, and the names of clubs and tournaments."""

from typing import Final

from django.core.exceptions import ValidationError

from accounts.names import validate_no_contact
from games.engine import Phrase, gettext_noop
from games.models import LONGEST_ABOUT, LONGEST_NAME
from games.refusals import Refusal
from notifications.content import find_contact

_JOINERS: Final = "\u200c\u200d"


def one_line(text: str) -> str:
    """Return a text in one line, without invisible characters."""
    return " ".join("".join(letter if letter.isprintable() or letter in _JOINERS else " " for letter in text).split())


def check_no_contact(text: str, field: str) -> None:
    """Raise Refusal(malformed) for a text with a link, an address or a phone number. Strangers read it in emails."""
    if contact := find_contact(text):
        sentence = gettext_noop(
            "“%(part)s” looks like a link, an address or a phone number, which this text can’t contain. Leave it out, "
            "or put a space after a full stop."
        )
        raise Refusal("malformed", Phrase(sentence, {"part": contact}), field)


def check_name(name: str) -> str:
    """Return the stored form of a name. Raises Refusal(malformed)."""
    name = one_line(name)
    if len(name) > LONGEST_NAME or not any(letter.isalpha() for letter in name):
        sentence = gettext_noop("The name needs at least one letter, and can have at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST_NAME}), "name")
    _check_contact(name)
    return name


def check_about(about: str) -> str:
    """Return the stored form of a description. Raises Refusal(malformed)."""
    about = one_line(about)
    if len(about) > LONGEST_ABOUT:
        sentence = gettext_noop("The description can have at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST_ABOUT}), "about")
    check_no_contact(about, "about")
    return about


def _check_contact(name: str) -> None:
    try:
        validate_no_contact(name)
    except ValidationError as error:
        raise Refusal("malformed", Phrase("%(why)s", {"why": " ".join(error.messages)}), "name") from None
