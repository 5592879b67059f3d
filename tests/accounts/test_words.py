"""Everything that accounts say is said in Persian too."""

from pathlib import Path

from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import accounts

_HERE = Path(accounts.__file__).parent
_CATALOGUE = _HERE / "locale/fa/LC_MESSAGES/django.po"
_KEYWORDS = {"_": None, "gettext": None, "gettext_lazy": None}


def test_every_sentence_is_translated_and_compiled() -> None:
    found = {message for _, _, message, _, _ in extract_from_dir(_HERE, [("**.py", "python")], keywords=_KEYWORDS)}
    with _CATALOGUE.open("rb") as written, _CATALOGUE.with_suffix(".mo").open("rb") as compiled:
        translated = {message.id: message.string for message in read_po(written) if message.id}
        used = {message.id: message.string for message in read_mo(compiled) if message.id}
    assert found == translated.keys()
    assert translated == used
    assert all(translated.values())
