"""The documents are written in plain English: half of the sentences of each have fifteen words or fewer."""

import ast
import builtins
import re
from collections.abc import Iterator
from statistics import median
from textwrap import dedent
from typing import Final

from django.core.management import get_commands

from config.server.command_line import COMMANDS, GAMES, PROCESSES
from tests.examples import for_each
from tests.server.darbar import ROOT

PATTERNS: Final = (
    "*.md",
    "docs/*.md",
    "docs/site/en/*.md",
    "docs/site/en/*/*.md",
    "examples/*.md",
    "config/server/api_description/*.md",
)
DOCUMENTS: Final = [str(path.relative_to(ROOT)) for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))]
MOST_WORDS: Final = 15
ALL: Final = [*DOCUMENTS, *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs/site/fa").rglob("*.md")))]
_FENCED: Final = re.compile(r"```.*?```", re.S)
_NO_PROSE: Final = re.compile(r"^\s*[|#<].*$", re.M)
_BLOCK_END: Final = re.compile(r"\n\s*\n|\n(?=\s*(?:- |\* |\d+\. ))")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`\[*])")
_LINK_TARGET: Final = re.compile(r"\]\([^)]*\)")
_WORD: Final = re.compile(r"[\w'’-]+")


def sentence_lengths(text: str) -> Iterator[int]:
    """Yield the number of words of each sentence, without those of code, tables and headings."""
    for block in _BLOCK_END.split(_NO_PROSE.sub("", _FENCED.sub("", text))):
        for sentence in _SENTENCE_END.split(" ".join(block.split())):
            words = len(_WORD.findall(_LINK_TARGET.sub("]", sentence)))
            if words > 1:
                yield words


@for_each("document", DOCUMENTS)
def test_the_sentences_of_a_document_are_short(document: str) -> None:
    assert median(sentence_lengths((ROOT / document).read_text())) <= MOST_WORDS


def test_code_tables_headings_and_addresses_of_links_are_no_sentences() -> None:
    blocks = (
        "# A heading of words",
        "| a | row of a table |",
        "Two words. See [this page](a/long/one.md).",
        "```\nls -l\n```",
    )
    assert list(sentence_lengths("\n\n".join(blocks))) == [2, 3]


KIT: Final = ("games/engine", "games/kit")
NAME: Final = re.compile(r"^(?:class |def )?(\w+)(?:\(|:| =)", re.M)
OF_AN_EXAMPLE: Final = {
    *(
        *("Added", "Bid", "Card", "Give", "RULES", "Struct", "Won", "replace", "darbar_mygame", "legal_moves"),
        *("questions", "forms", "pyspiel"),
    )
}
"""The names that an example uses in addition to those of the kit."""


def test_the_python_of_the_guide_to_games_uses_names_that_exist() -> None:
    kit = "\n".join(module.read_text() for folder in KIT for module in (ROOT / folder).rglob("*.py"))
    usable_names = {*dir(builtins), "Annotated", "Literal", "Meta", *OF_AN_EXAMPLE, *NAME.findall(kit)}
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", (ROOT / "docs/games.md").read_text(), re.M | re.S)
    assert len(blocks) > 5
    for code in blocks:
        nodes = list(ast.walk(ast.parse(dedent(code))))
        own_names = {node.arg for node in nodes if isinstance(node, ast.arg)} | {"state", "view", "move", "seat"}
        own_names |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own_names |= {name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names}
        assert {node.id for node in nodes if isinstance(node, ast.Name)} - usable_names - own_names == set(), code


@for_each("document", ALL)
def test_every_command_that_a_document_names_exists(document: str) -> None:
    text = (ROOT / document).read_text()
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"(?:`|^)(?:[A-Z_]+=\S+ )*make ([a-z]+)", text, re.M)
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.M)] == []
    modules = re.findall(r"python3? -m ([a-z_.]+)", text)
    assert [module for module in modules if module not in _PROGRAMS and not _is_module(module)] == []
    commands = re.findall(r"manage\.py ([a-z_]+)", text)
    assert [command for command in commands if command not in {*get_commands(), "games"}] == []
    assert set(re.findall(r"(?:darbar|manage\.py) games ([a-z]+)", text)) <= GAMES.keys()
    words = re.findall(r"(?:`|^)darbar ([a-z_-]+)", text, re.M)
    assert [word for word in words if word not in {*PROCESSES, *COMMANDS, "games", "version"}] == []


@for_each("document", [name for name in ALL if name.startswith(("docs/backup", "docs/operating")) or "/host/" in name])
def test_a_document_for_operators_uses_the_command_that_is_installed(document: str) -> None:
    sentences = re.split(r"(?<=\.)\s", (ROOT / document).read_text())
    assert [sentence for sentence in sentences if "manage.py" in sentence and "n a checkout" not in sentence] == []


_PROGRAMS: Final = {"pip", "pytest", "venv"}


def _is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
