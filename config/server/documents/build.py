"""The build of the documents site: ``python -m config.server.documents.build``.

``docs/site/pages.toml`` lists the pages. Some are in ``docs/site/<language>``, and others are documents of the
repository. Zensical builds one site for each language, with a search that works without a network.
"""

import base64
import fcntl
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
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from PIL import Image

from config.core import processes
from config.server.api_description.codes import catalogue, errors_table

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final = ROOT / "docs" / "site"
SITE: Final = ROOT / "config" / "server" / "documents" / "site"
POLICY: Final = "policy.json"
"""The file with the hashes of inline scripts and styles, for the security policy of the pages."""
ERRORS: Final = "api/errors.md"
STYLES: Final = "site.css"
"""The styles of all pages. A language may have additional ones in its folder."""
_ZENSICAL: Final = Path(sys.executable).with_name("zensical")
_STYLE_OF_SCRIPT: Final = "'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"
"""The hash of the style that Zensical's script adds to a page. If it changes, a browser's console shows the new one."""

_PALETTES: Final = [
    {"media": "(prefers-color-scheme)", "scheme": "default"},
    {"media": "(prefers-color-scheme: light)", "scheme": "default"},
    {"media": "(prefers-color-scheme: dark)", "scheme": "slate"},
]
"""Zensical's palettes. The first one selects between the other two, by the preference of the browser."""
_SCRIPT_CHANGES: Final = {
    '"nav",{class:"md-code__nav"}': '"div",{class:"md-code__nav"}',
    'class:"md-typeset__scrollwrap"}': 'class:"md-typeset__scrollwrap",tabIndex:0}',
}
"""Changes to Zensical's script: code blocks are no landmarks, and tables can be scrolled with the keyboard."""
_LINE_NUMBER: Final = re.compile(r'<a id="__codelineno-[^>]*></a>')
"""The empty link before each line of a code block."""
_ALIGNMENT: Final = re.compile(r'(<t[hd]) style="text-align: (\w+);"')
"""The inline style of a table cell. The policy of the pages forbids it, so it becomes a class (``site.css``)."""
_EMPTY_HEADING: Final = re.compile(r"<th([^>]*)></th>")
_IMAGE: Final = re.compile(r'<img alt="([^"]*)" src="([^":]+\.png)" />')
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
_INLINE_SCRIPT: Final = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>(.*?)</script>", re.S)
_INLINE_STYLE: Final = re.compile(r"<style[^>]*>(.*?)</style>", re.S)


def build(site: Path = SITE, *, replace: bool = True) -> int:
    """Build the site, and return the number of its pages. Without ``replace``, keep a site that is complete."""
    with _working_folder(site) as folder:
        if is_complete(site) and not replace:
            return 0
        for language, contents in _pages().items():
            _write_sources(folder / language, language, contents)
            _run_zensical(folder / language, language, contents)
            _change_script(folder / language / "site", {**_SCRIPT_CHANGES, **contents.get("search", {})})
            _change_pages(folder / language / "site")
            shutil.move(folder / language / "site", folder / "out" / language)
        html_files = sorted((folder / "out").rglob("*.html"))
        (folder / "out" / POLICY).write_text(json.dumps(_policy(html_files)))
        # The site is replaced as a whole, so that a server never sees a part of it.
        if site.exists():
            site.rename(folder / "former")
        (folder / "out").rename(site)
    return len(html_files)


@contextmanager
def _working_folder(site: Path) -> Iterator[Path]:
    """Wait for other builds of the site, and yield an empty folder beside it. Deletes what killed builds have left."""
    parent = site.with_name(f"{site.name}.build")
    parent.mkdir(parents=True, exist_ok=True)
    with (parent / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for folder in parent.glob("work-*"):
            shutil.rmtree(folder, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="work-", dir=parent) as name:
            yield Path(name)


def is_complete(site: Path) -> bool:
    """Return whether a whole site is in this folder."""
    return (site / POLICY).is_file()


def can_build() -> bool:
    """Return True if the site is missing, and this is a checkout with the tool that builds it and a writable folder."""
    has_tools = (SOURCES / "pages.toml").is_file() and _ZENSICAL.is_file()
    return not is_complete(SITE) and has_tools and os.access(SITE.parent, os.W_OK)


def build_in_background() -> None:
    """Build the site with the lowest priority. The server answers meanwhile."""
    processes.watch_parent()
    os.nice(19)
    build(replace=False)


def source(path: str) -> str | None:
    """Return the Markdown of a page, such as ``en/play/email/``, or None if there is no such page."""
    if not (SOURCES / "pages.toml").is_file():
        return None
    language, _, page = path.strip("/").partition("/")
    contents = _pages().get(language, {"sections": []})
    for file, origin in [("index.md", ""), *_files(contents)] if contents["sections"] else []:
        if file.removesuffix(".md").removesuffix("index").strip("/") == page:
            return _markdown(language, file, origin)
    return None


def _markdown(language: str, file: str, source: str) -> str:
    """Return the Markdown of a page, from ``source`` in the repository if the page is a document of it."""
    if file == ERRORS:
        return errors_page()
    return (ROOT / source if source else SOURCES / language / file).read_text()


def _pages() -> dict[str, Any]:
    return tomllib.loads((SOURCES / "pages.toml").read_text())


def _files(contents: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the file of each page of a language, and its source in the repository, or an empty string."""
    for _, pages in contents["sections"]:
        for _, file, *source in pages:
            yield file, source[0] if source else ""


def _write_sources(folder: Path, language: str, contents: Mapping[str, Any]) -> None:
    """Write the Markdown of a language, with the links between documents changed to links between pages."""
    places = {source or f"docs/site/{language}/{file}": file for file, source in _files(contents)}
    for file, source in [("index.md", ""), *_files(contents)]:
        page = folder / "docs" / file
        page.parent.mkdir(parents=True, exist_ok=True)
        text = _markdown(language, file, source)
        page.write_text(_change_links(text, source, file, places, folder / "docs") if source else text)
    styles = [path.read_text() for path in (SOURCES / STYLES, SOURCES / language / STYLES) if path.is_file()]
    (folder / "docs" / STYLES).write_text("\n".join(styles))


def _change_links(text: str, source: str, file: str, places: Mapping[str, str], docs: Path) -> str:
    """Return a document with links to pages of the site. A link to a file that is not a page becomes its text."""

    def replace(link: re.Match[str]) -> str:
        image, label, target, anchor = link[1], link[2], link[3], link[4] or ""
        path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        if path in places:
            return f"[{label}]({os.path.relpath(places[path], os.path.dirname(file))}{anchor})"
        if image and (ROOT / path).is_file():
            copy = docs / "images" / os.path.basename(path)
            copy.parent.mkdir(exist_ok=True)
            shutil.copyfile(ROOT / path, copy)
            return f"![{label}]({os.path.relpath(copy.relative_to(docs), os.path.dirname(file))})"
        return label

    return _LINK.sub(replace, text)


def errors_page() -> str:
    """Return the page of the API's errors, with a section for each code and the table of mistakes."""
    page = (SOURCES / "en" / ERRORS).read_text()
    return page.replace("{problems}", catalogue()).replace("{mistakes}", errors_table())


def _run_zensical(folder: Path, language: str, contents: Mapping[str, Any]) -> None:
    sections = [{title: [{name: file} for name, file, *_ in pages]} for title, pages in contents["sections"]]
    nav = [{contents["home"]: "index.md"}, *sections]
    theme = {"language": language, "font": False, "features": ["navigation.sections", "content.code.copy"]}
    lines = [
        "[project]",
        f"site_name = {json.dumps(contents['name'], ensure_ascii=False)}",
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
    process = subprocess.run([_ZENSICAL, "build"], cwd=folder, capture_output=True, text=True, timeout=120)
    if process.returncode:
        sys.exit(f"The documents of {language} cannot be made: {process.stdout}{process.stderr}")


def _change_script(site: Path, changes: Mapping[str, str]) -> None:
    """Change Zensical's script, for example the words of its search, which are only in English."""
    for script in site.glob("assets/javascripts/bundle.*.js"):
        text = script.read_text()
        for old, new in changes.items():
            if old not in text:
                sys.exit(f"Zensical's script no longer says {old}. Change build.py, or the words in pages.toml.")
            text = text.replace(old, new)
        script.write_text(text)


def _change_pages(site: Path) -> None:
    """Remove empty links, empty headings and inline styles from pages, and add the sizes of pictures."""
    for page in site.rglob("*.html"):

        def add_size(image: re.Match[str], folder: Path = page.parent) -> str:
            with Image.open(folder / image[2]) as picture:
                return f'<img alt="{image[1]}" src="{image[2]}" width="{picture.width}" height="{picture.height}" />'

        text = _ALIGNMENT.sub(r'\1 class="\2"', _LINE_NUMBER.sub("", page.read_text()))
        page.write_text(_IMAGE.sub(add_size, _EMPTY_HEADING.sub(r"<td\1></td>", text)))


def _toml(value: Any) -> str:
    """Return a value as TOML in one line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)} = {_toml(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _policy(pages: list[Path]) -> dict[str, list[str]]:
    texts = [page.read_text() for page in pages]
    scripts = {_hash(script) for text in texts for script in _INLINE_SCRIPT.findall(text)}
    styles = {_hash(style) for text in texts for style in _INLINE_STYLE.findall(text)}
    return {"script-src": sorted(scripts), "style-src": sorted({_STYLE_OF_SCRIPT, *styles})}


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


if __name__ == "__main__":
    sys.stdout.write(f"make docs: {build()} pages are in {SITE.relative_to(ROOT)}/, served at /docs/.\n")
