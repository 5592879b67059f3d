"""The glossary page, made from its source: ``python -m tests.glossary`` writes docs/glossary.md."""

import tomllib
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent.parent / "docs"
PAGE: Final = FOLDER / "glossary.md"
_HEAD: Final = """# Glossary

One word for one thing, in code, API, pages, emails and documents. `python -m tests.glossary` makes this page from
[glossary.toml](glossary.toml). That file also lists words that are gone. A test keeps them out.
"""


def source() -> dict[str, Any]:
    """Return the glossary: ``section`` lists the words, ``gone`` those that are not used."""
    return tomllib.loads((FOLDER / "glossary.toml").read_text())


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join([_HEAD, *(_section(section) for section in source()["section"])])


def _section(section: dict[str, Any]) -> str:
    has_persian = any("persian" in word for word in section["words"])
    columns = ["word", *(["Persian"] if has_persian else []), "meaning"]
    rows = [[word["word"], *([word["persian"]] if has_persian else []), word["meaning"]] for word in section["words"]]
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join([f"## {section['title']}", *(f"| {' | '.join(line)} |" for line in lines), ""])


if __name__ == "__main__":
    PAGE.write_text(page())
