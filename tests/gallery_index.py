"""The gallery's list: ``python -m tests.gallery_index FOLDER`` writes ``index.html`` over all that was drawn there.

Emails, pages, errors, rules and boards, English beside Persian; and the texts of all errors, which are not drawn.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Final

import_module("tests.conftest")  # before anything of Django's

from django.utils.translation import override  # noqa: E402

from config.server.api_description.codes import PROBLEMS  # noqa: E402
from config.server.problems import TITLES  # noqa: E402
from tests.catalogues import APPS, phrases, read  # noqa: E402
from tests.test_refusals import refusals  # noqa: E402

SECTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "Emails": ("emails", r"(?!answer\d|closed|invitation-(?!\d)|stop|error-)(.+)-(en|fa)-light-narrow"),
    "Pages that emails lead to": ("emails", r"((?:answer\d|closed|invitation-(?!\d)|stop).*)-(en|fa)-light-narrow"),
    "Pages": ("pages", r"(?!rules-)(.+)-(en|fa)-light-390-whole"),
    "Rules": ("pages", r"(rules-.+)-(en|fa)-light-390-whole"),
    "Pages of errors": ("emails", r"(error-.+)-(en|fa)-light-narrow"),
    "Boards": ("boards", r"(.+)-(en|fa)-light-640"),
}
"""The heading of each section, its folder and the names of its pictures."""
_HEAD: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title>
<meta name="viewport" content="width=device-width"><style>
body { font: 16px/1.5 system-ui; margin: 1rem } img { width: 15rem; border: 1px solid #ccc; vertical-align: top }
figure { display: inline-block; margin: 0.5rem } table { border-collapse: collapse }
td { border: 1px solid #ccc; padding: 0.3rem }
.shown { max-height: 24rem; overflow: auto; display: inline-block }
</style><h1>Gallery</h1>
"""


def pairs(folder: Path, pattern: str) -> dict[str, dict[str, Path]]:
    """Return the pictures of a section by subject and language."""
    pictures: dict[str, dict[str, Path]] = {}
    for file in sorted(folder.glob("*.[jp][pn]g")):
        if match := re.fullmatch(pattern, file.stem):
            pictures.setdefault(match[1], {})[match[2]] = file
    return pictures


def section(title: str, folder: Path, root: Path, pattern: str) -> Iterator[str]:
    """Yield the HTML of a section, the languages beside each other."""
    pictures = pairs(folder, pattern)
    yield f'<h2 id="{escape(title)}">{escape(title)} ({len(pictures)})</h2>'
    for name, files in pictures.items():
        yield f"<figure><figcaption>{escape(name)}"
        for language, file in sorted(files.items()):
            text_file = file.with_name(f"{name}-{language}.txt")
            if text_file.exists():
                yield f' <a href="{text_file.relative_to(root)}">{language} text</a>'
        yield "</figcaption>"
        for _, file in sorted(files.items()):
            at = file.relative_to(root)
            yield f'<a class="shown" href="{at}"><img loading="lazy" src="{at}" alt=""></a> '
        yield "</figure>"


def errors() -> Iterator[str]:
    """Yield the texts of all errors as HTML: the codes of problems, and every sentence that refuses something."""
    persian = {message.id: message.string for app in APPS for message in phrases(read(app)).values()}
    places = sentences()
    yield f'<h2 id="Errors">Errors ({len(PROBLEMS)} codes, {len(places)} sentences)</h2><table>'
    for code, (status, meaning) in PROBLEMS.items():
        with override("fa"):
            persian_title = str(TITLES[code])
        yield _row(f"{code} {status}", f"{TITLES[code]} – {meaning}", persian_title)
    for sentence, place in places.items():
        yield _row(", ".join(place), sentence, str(persian.get(sentence, "")))
    yield "</table>"


def sentences() -> dict[str, list[str]]:
    """Return every sentence that refuses something, with the places in the code that say it."""
    places: dict[str, list[str]] = {}
    for place, sentence, _ in sorted(set(refusals()), key=lambda refusal: refusal.place):
        places.setdefault(sentence, []).append(place)
    return places


def _row(place: str, english: str, persian: str) -> str:
    return f'<tr><td>{escape(place)}<td>{escape(english)}<td dir="rtl" lang="fa">{escape(persian)}'


def write(root: Path) -> int:
    """Write the list, and return how many things it shows."""
    links = " · ".join(f'<a href="#{escape(title)}">{escape(title)}</a>' for title in (*SECTIONS, "Errors"))
    parts = [_HEAD, '<a href="art.html">Drawings</a> · ', links, *errors()]
    count = 0
    for title, (folder, pattern) in SECTIONS.items():
        parts += section(title, root / folder, root, pattern)
        count += len(pairs(root / folder, pattern))
    (root / "index.html").write_text("\n".join(parts))
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.gallery_index", description="List all that was drawn.")
    parser.add_argument("folder", type=Path, help="the folder of the gallery")
    gallery = parser.parse_args().folder
    sys.stdout.write(f"{write(gallery)} things and {len(sentences())} errors are in {gallery / 'index.html'}\n")
