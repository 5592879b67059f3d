"""Checks of the names and descriptions of clubs and tournaments."""

from django.core.exceptions import ValidationError

from accounts.profile.names import validate_no_contact
from games.engine import Phrase, gettext_noop
from games.models import LONGEST_ABOUT, LONGEST_NAME
from games.refusals import Refusal
from games.text.one_line import check_no_contact, one_line


def check_name(name: str) -> str:
    """Return the stored form of a name. Raises Refusal(malformed)."""
    name = one_line(name)
    if len(name) > LONGEST_NAME or not any(letter.isalpha() for letter in name):
        sentence = gettext_noop("The name has at least one letter, and at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST_NAME}), "name")
    _check_contact(name)
    return name


def check_about(about: str) -> str:
    """Return the stored form of a description. Raises Refusal(malformed)."""
    about = one_line(about)
    if len(about) > LONGEST_ABOUT:
        sentence = gettext_noop("The description may have at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST_ABOUT}), "about")
    check_no_contact(about, "about")
    return about


def _check_contact(name: str) -> None:
    try:
        validate_no_contact(name)
    except ValidationError as error:
        raise Refusal("malformed", Phrase("%(why)s", {"why": " ".join(error.messages)}), "name") from None
