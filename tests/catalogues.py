"""Updates the message catalogues from the marked phrases, and compiles them. A test compares the results.

``python -m tests.catalogues`` adds new phrases to every ``.po`` file without a translation. It needs Babel, which only
developers install. The compiled files are committed.
"""

import io
import re
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT: Final = Path(__file__).parent.parent
APPS: Final = ("accounts", "config", "games", "notifications")
LANGUAGE: Final = "fa"
KEYWORDS: Final = {
    **DEFAULT_KEYWORDS,
    "gettext_noop": None,
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
}
_HEAD: Final[dict[str, Any]] = {
    "project": "Darbar",
    "version": "1",
    "msgid_bugs_address": "see CONTRIBUTING.md",
    "last_translator": "The Darbar contributors",
    "language_team": "The Darbar contributors",
    "creation_date": datetime(2026, 11, 22, tzinfo=UTC),
    "revision_date": datetime(2026, 11, 22, tzinfo=UTC),
}


def path(app: str) -> Path:
    """The catalogue of an app."""
    return ROOT / app / "locale" / LANGUAGE / "LC_MESSAGES" / "django.po"


@cache
def marked(app: str) -> Catalog:
    """Every phrase that the code of an app marks. To find them takes a second."""
    catalogue = Catalog(project="Darbar", fuzzy=False)
    messages = extract_from_dir(ROOT / app, [("**.py", "python")], keywords=KEYWORDS)
    for file, _, message, comments, context in sorted(messages, key=lambda item: item[:2]):
        catalogue.add(message, locations=[(f"{app}/{file}", 0)], auto_comments=comments, context=context)
    for template in sorted(path for path in (ROOT / app).rglob("templates/**/*") if path.is_file()):
        _add_template(catalogue, template)
    return catalogue


def _add_template(catalogue: Catalog, template: Path) -> None:
    """Add what a template marks with ``translate`` and ``blocktranslate``."""
    where = str(template.relative_to(ROOT))
    # The reader of Python code refuses the indentation of templates.
    code = re.sub(r"^[ \t]+", "", templatize(template.read_text(), origin=where), flags=re.MULTILINE)
    source = io.BytesIO(code.encode())
    for _, message, comments, context in extract("python", source, keywords=KEYWORDS):
        catalogue.add(message, locations=[(where, 0)], auto_comments=comments, context=context)


def read(app: str) -> Catalog:
    """Return the stored catalogue, or an empty one if there is none."""
    if not path(app).exists():
        return Catalog(LANGUAGE, header_comment="# Darbar in Persian.", fuzzy=False, **_HEAD)
    with path(app).open("rb") as file:
        return read_po(file, locale=LANGUAGE)


def phrases(catalogue: Catalog) -> dict[tuple[object, object], Message]:
    """The messages of a catalogue by context and text."""
    return {(message.context, message.id): message for message in catalogue if message.id}


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as gettext reads it."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def update(app: str) -> int:
    """Bring an app's catalogue up to date and compile it; how many phrases are not translated."""
    extracted, catalogue = marked(app), read(app)
    if not phrases(extracted):
        return 0
    begun = catalogue.creation_date
    catalogue.update(extracted, no_fuzzy_matching=True)
    catalogue.creation_date = begun
    catalogue.obsolete.clear()
    path(app).parent.mkdir(parents=True, exist_ok=True)
    with path(app).open("wb") as file:
        write_po(file, catalogue, width=120, include_lineno=False, ignore_obsolete=True)
    path(app).with_suffix(".mo").write_bytes(compiled(read(app)))
    return sum(not message.string for message in phrases(catalogue).values())


if __name__ == "__main__":
    sys.stdout.writelines(f"{app}: {update(app)} phrases are not translated\n" for app in APPS)
