"""Checks of texts that accounts write for others: one line, without links."""

from typing import Final

from games.engine import Phrase, gettext_noop
from games.refusals import Refusal
from notifications.content.contact_details import find_contact

_JOINERS: Final = "\u200c\u200d"


def one_line(text: str) -> str:
    """Return a text in one line, without invisible characters."""
    return " ".join("".join(letter if letter.isprintable() or letter in _JOINERS else " " for letter in text).split())


def check_no_contact(text: str, field: str) -> None:
    """Raise Refusal(malformed) for a text with a link, an address or a phone number. Strangers read it in emails."""
    if contact := find_contact(text):
        sentence = gettext_noop(
            "“%(part)s” reads as a link, an address or a phone number, which this text may not hold. Leave it out, or "
            "write a blank after a full stop."
        )
        raise Refusal("malformed", Phrase(sentence, {"part": contact}), field)
