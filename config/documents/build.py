"""Makes the documents site: ``python -m config.documents.build``.

``docs/site/pages.toml`` lists the pages. Those of a language stand in ``docs/site/<language>``; others are documents of
the repository. Zensical makes the pages, one site a language, with a search that works without a network.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from PIL import Image

from config.api_description.error_codes import errors_table
from config.api_description.problem_codes import catalogue

ROOT: Final = Path(__file__).parent.parent.parent
SOURCES: Final = ROOT / "docs" / "site"
SITE: Final = ROOT / "config" / "documents" / "site"
POLICY: Final = "policy.json"
"""The hashes of the scripts and styles that stand inside the pages, for their security policy."""
ERRORS: Final = "api/errors.md"
STYLES: Final = "site.css"
"""The styles of all pages, and in a language's folder those that it has of its own."""
_STYLE_OF_SCRIPT: Final = "'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"
"""The style that Zensical's script adds to a page. If it changes, a browser's console shows the new one."""

_PALETTES: Final = [
    {"media": "(prefers-color-scheme)", "scheme": "default"},
    {"media": "(prefers-color-scheme: light)", "scheme": "default"},
    {"media": "(prefers-color-scheme: dark)", "scheme": "slate"},
]
"""Zensical's colours: by the first, a page takes those of the other two that its reader prefers at the time."""
_CHANGED: Final = {
    '"nav",{class:"md-code__nav"}': '"div",{class:"md-code__nav"}',
    'class:"md-typeset__scrollwrap"}': 'class:"md-typeset__scrollwrap",tabIndex:0}',
}
"""Changes to what Zensical's script puts around programs and tables: no landmarks, and tables that keys can scroll."""
_LINE_NUMBER: Final = re.compile(r'<a id="__codelineno-[^>]*></a>')
"""A link without a text before each line of a program."""
_ALIGNMENT: Final = re.compile(r'(<t[hd]) style="text-align: (\w+);"')
"""A style within a cell of a table: the policy of the pages allows none, so it becomes a class (``site.css``)."""
_EMPTY_HEADING: Final = re.compile(r"<th([^>]*)></th>")
_IMAGE: Final = re.compile(r'<img alt="([^"]*)" src="([^":]+\.png)" />')
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
_INLINE_SCRIPT: Final = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>(.*?)</script>", re.S)
_INLINE_STYLE: Final = re.compile(r"<style[^>]*>(.*?)</style>", re.S)


def build(site: Path = SITE) -> int:
    """Build the site again, and return the number of its pages."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        for language, known in _pages().items():
            _write_sources(made / language, language, known)
            _run_zensical(made / language, language, known)
            _change_script(made / language / "site", {**_CHANGED, **known.get("search", {})})
            _change_pages(made / language / "site")
            shutil.move(made / language / "site", made / "out" / language)
        html = sorted((made / "out").rglob("*.html"))
        (made / "out" / POLICY).write_text(json.dumps(_policy(html)))
        shutil.rmtree(site, ignore_errors=True)
        site.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made / "out", site)
    return len(html)


def _pages() -> dict[str, Any]:
    return tomllib.loads((SOURCES / "pages.toml").read_text())


def _files(known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the pages of a language: the file of the site, and the file of the repository that it is made of."""
    for _, pages in known["sections"]:
        for _, file, *source in pages:
            yield file, source[0] if source else ""


def _write_sources(folder: Path, language: str, known: Mapping[str, Any]) -> None:
    """Put the Markdown of a language together, the links between documents changed to those between pages."""
    places = {source or f"docs/site/{language}/{file}": file for file, source in _files(known)}
    for file, source in [("index.md", ""), *_files(known)]:
        page = folder / "docs" / file
        page.parent.mkdir(parents=True, exist_ok=True)
        if source:
            page.write_text(_relinked((ROOT / source).read_text(), source, file, places, folder / "docs"))
        elif file == ERRORS:
            page.write_text(errors_page())
        else:
            page.write_text((SOURCES / language / file).read_text())
    styles = [each.read_text() for each in (SOURCES / STYLES, SOURCES / language / STYLES) if each.is_file()]
    (folder / "docs" / STYLES).write_text("\n".join(styles))


def _relinked(text: str, source: str, file: str, places: Mapping[str, str], docs: Path) -> str:
    """A document with its links as they lead on the site; a link to a file that is no page becomes its text."""

    def replace(link: re.Match[str]) -> str:
        image, label, target, anchor = link[1], link[2], link[3], link[4] or ""
        path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        if path in places:
            return f"[{label}]({os.path.relpath(places[path], os.path.dirname(file))}{anchor})"
        if image and (ROOT / path).is_file():
            copied = docs / "images" / os.path.basename(path)
            copied.parent.mkdir(exist_ok=True)
            shutil.copyfile(ROOT / path, copied)
            return f"![{label}]({os.path.relpath(copied.relative_to(docs), os.path.dirname(file))})"
        return label

    return _LINK.sub(replace, text)


def errors_page() -> str:
    """The page of the API's errors: what stands in its file, each code under a heading, and the codes of mistakes."""
    page = (SOURCES / "en" / ERRORS).read_text()
    return page.replace("{problems}", catalogue()).replace("{mistakes}", errors_table())


def _run_zensical(folder: Path, language: str, known: Mapping[str, Any]) -> None:
    sections = [{title: [{name: file} for name, file, *_ in pages]} for title, pages in known["sections"]]
    nav = [{known["home"]: "index.md"}, *sections]
    theme = {"language": language, "font": False, "features": ["navigation.sections", "content.code.copy"]}
    lines = [
        "[project]",
        f"site_name = {json.dumps(known['name'], ensure_ascii=False)}",
        'docs_dir = "docs"',
        'site_dir = "site"',
        "use_directory_urls = true",
        f"extra_css = {_toml([STYLES])}",
        f"nav = {_toml(nav)}",
        "[project.theme]",
        *(f"{key} = {_toml(value)}" for key, value in theme.items()),
        f"palette = {_toml(_PALETTES)}",
        "[project.extra]",
        "generator = false",
    ]
    (folder / "zensical.toml").write_text("\n".join(lines) + "\n")
    (folder.parent / "out").mkdir(exist_ok=True)
    program = Path(sys.executable).with_name("zensical")
    done = subprocess.run([program, "build"], cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"The documents of {language} cannot be made: {done.stdout}{done.stderr}")


def _change_script(site: Path, changes: Mapping[str, str]) -> None:
    """Change Zensical's script: to a language's words for the search, of which it knows only the English ones, too."""
    for script in site.glob("assets/javascripts/bundle.*.js"):
        text = script.read_text()
        for known, wanted in changes.items():
            if known not in text:
                sys.exit(f"Zensical's script no longer says {known}. Change build.py, or the words in pages.toml.")
            text = text.replace(known, wanted)
        script.write_text(text)


def _change_pages(site: Path) -> None:
    """Take empty links, empty headings and inline styles out of a language's pages, and write each picture's size."""
    for page in site.rglob("*.html"):

        def sized(image: re.Match[str], folder: Path = page.parent) -> str:
            with Image.open(folder / image[2]) as picture:
                return f'<img alt="{image[1]}" src="{image[2]}" width="{picture.width}" height="{picture.height}" />'

        text = _ALIGNMENT.sub(r'\1 class="\2"', _LINE_NUMBER.sub("", page.read_text()))
        page.write_text(_IMAGE.sub(sized, _EMPTY_HEADING.sub(r"<td\1></td>", text)))


def _toml(value: Any) -> str:
    """A value of strings, truths, lists and tables, as TOML has it within a line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)} = {_toml(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _policy(pages: list[Path]) -> dict[str, list[str]]:
    texts = [page.read_text() for page in pages]
    scripts = {_hash(found) for text in texts for found in _INLINE_SCRIPT.findall(text)}
    styles = {_hash(found) for text in texts for found in _INLINE_STYLE.findall(text)}
    return {"script-src": sorted(scripts), "style-src": sorted({_STYLE_OF_SCRIPT, *styles})}


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


if __name__ == "__main__":
    sys.stdout.write(f"make docs: {build()} pages are in {SITE.relative_to(ROOT)}/, served at /docs/.\n")
