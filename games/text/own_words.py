"""The name and description that people give to something of theirs, such as a club or a tournament."""

from games.engine import Phrase, gettext_noop
from games.models import LONGEST_ABOUT, LONGEST_NAME
from games.refusals import Refusal
from games.text.one_line import has_link, one_line


def check_name(name: str) -> str:
    """Return a name as it is stored. Refusal ``malformed``."""
    name = one_line(name)
    if len(name) > LONGEST_NAME or not any(letter.isalpha() for letter in name):
        sentence = gettext_noop("The name has at least one letter, and at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST_NAME}), "name")
    _check_links(name, "name")
    return name


def check_about(about: str) -> str:
    """Return a description as it is stored. Refusal ``malformed``."""
    about = one_line(about)
    if len(about) > LONGEST_ABOUT:
        sentence = gettext_noop("The description may have at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST_ABOUT}), "about")
    _check_links(about, "about")
    return about


def _check_links(text: str, field: str) -> None:
    if has_link(text):
        raise Refusal("malformed", Phrase(gettext_noop("The name and description may not contain links.")), field)
