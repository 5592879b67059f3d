"""``make house``: print the size and the language of this checkout as a table."""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path
from statistics import median
from typing import Final

from tests.plain_english import PRODUCT, ROOT, hard_places, texts

_LAYOUT: Final = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_CARD: Final = "anarchist"
"""A character of Coup's: the files with its name are the files that a new character would touch."""


def code_lines(source: str) -> int:
    """Count the lines of code, without blank lines, comments and docstrings."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def import_lines(source: str) -> int:
    """Count the lines of imports."""
    imports = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in imports)


def tracked(*folders: str, suffix: str = ".py") -> list[Path]:
    """Return the files that Git tracks, without migrations and generated code."""
    command = ["git", "ls-files", "--", *(f"{folder}/*{suffix}" for folder in folders)]
    paths = [Path(name) for name in subprocess.check_output(command, cwd=ROOT, text=True).split()]
    return [path for path in paths if (ROOT / path).exists() and not {"migrations", "_generated"} & set(path.parts)]


def sources(*folders: str) -> dict[Path, str]:
    """Return the text of the Python files of these folders."""
    return {path: (ROOT / path).read_text() for path in tracked(*folders)}


def rows() -> list[tuple[str, str]]:
    """Return the lines of the table: a figure's name, and the figure."""
    product = sources(*PRODUCT)
    lines = {path: code_lines(text) for path, text in product.items()}
    places = [place for path in product for place in hard_places(ROOT / path)]
    hard_texts = len({(place.path, place.line) for place in places if place.is_text})
    number_of_texts = sum(1 for text in product.values() for _ in texts(text, ast.parse(text)))
    pages = [path for path in tracked(*PRODUCT, suffix=".html") if "templates" in path.parts]
    templates = [line for path in pages for line in (ROOT / path).read_text().splitlines()]
    imports = sum(map(import_lines, product.values()))
    return [
        ("code lines of the product", f"{sum(lines.values()):,}"),
        *((f"  {folder}", f"{sum(lines[path] for path in lines if path.parts[0] == folder):,}") for folder in PRODUCT),
        ("files of the product", f"{len(lines)}"),
        ("  with 40 code lines or fewer", f"{sum(count <= 40 for count in lines.values())}"),
        ("median code lines of a file", f"{median(lines.values()):g}"),
        ("imports, as a part of the code lines", f"{imports / sum(lines.values()):.1%}"),
        (
            "packages directly in games",
            f"{len({path.parts[1] for path in lines if path.match('games/*/__init__.py')})}",
        ),
        ("comment lines of the product", f"{sum(comment_lines(text) for text in product.values()):,}"),
        ("code lines of the tests", f"{sum(map(code_lines, sources('tests').values())):,}"),
        ("code lines of the bench", f"{sum(map(code_lines, sources('bench').values())):,}"),
        ("longest line of a template", f"{max(map(len, templates))} characters"),
        ("docstrings and comments that are hard to read", f"{hard_texts} of {number_of_texts:,}"),
        ("names that are no nouns", f"{sum(not place.is_text for place in places)}"),
        (
            "files of games that name the anarchist",
            f"{sum(_CARD in text.lower() for text in sources('games').values())}",
        ),
    ]


def comment_lines(source: str) -> int:
    """Count the lines that hold nothing but a comment."""
    return sum(line.lstrip().startswith("# ") for line in source.splitlines())


def main() -> None:
    """Print the table."""
    sys.stdout.writelines(f"{name:46}{figure:>16}\n" for name, figure in rows())


if __name__ == "__main__":
    main()
