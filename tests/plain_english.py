"""``python -m tests.plain_english [FOLDER]``: list docstrings, comments and names that are hard to read.

The shapes are places to look, not verdicts: indefinite pronouns, clauses without a noun, docstrings that begin with a
pronoun, and variables named by a participle. CONTRIBUTING says how to write instead.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
PRODUCT: Final = ("config", "games", "accounts", "notifications")
BESIDE: Final = ("tests", "bench", "clients", "examples")
_VAGUE: Final = re.compile(
    r"\b(whoever|whatever|whichever|whom|somebody|nobody|everybody|anew|lest|besides|of late|beforehand|therein|"
    r"as (?:it|they) (?:is|are|was|were|came|come)|at once|no more|once more|(?:is|are|was|were) to be|"
    r"what (?:is|was|are|has|had|they|it|one|people)|that which|"
    r"of (?:it|them|whom|which|what|those|one) (?:is|are|all|none|the)|"
    r"where (?:it|they|there|nothing|none|that) (?:is|are|was|were|has|have)|so many|so much|(?:the )?eyes of)\b",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"^(It|Its|Those|These|They|Them|Their|That|None|One|He|She|Others|Each|Of|By|Such|As|Nothing|The same)\b"
    r"|^Return (what|whether it|where|who|how it|that|it|those|them)\b"
)
_NAMES: Final = re.compile(
    r"(said|told|asked|heard|found|made|given|wanted|kept|seen|came|known|taken|brought|shown|written|chosen|named|called|"
    r"drawn|mine|own|each|every|what|stands|says|tells|glance|sight|put|read|held|meant|done|gone|became)"
)
_VERBS: Final = {"put", "read"}
"""Names in the list above that are good names of functions, such as the handler of a PUT request."""
BOUNDS: Final = {
    "config": (0, 1),
    "games": (2, 48),
    "accounts": (1, 0),
    "notifications": (0, 2),
    "tests": (0, 5),
    "bench": (0, 0),
    "clients": (0, 1),
    "examples": (0, 5),
}
"""The maximum numbers of flagged texts and names in each folder. Lower them whenever a folder gets better."""
_TOOLS: Final = re.compile(r"# ?(noqa|type:|fmt:|pragma)")
_SCRIPT_COMMENT: Final = re.compile(r"(?<![:\"'])//([^\n]*)|/\*(.*?)\*/", re.DOTALL)
_SCRIPT_STRING: Final = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`")
_SCRIPT_NAME: Final = re.compile(r"(?<!\w)(?<!(?<!\.)\.)#?(\w+)\b(?!:)")
"""Names in JavaScript without those of properties: variables, parameters, functions and methods."""


class HardPlace(NamedTuple):
    """A place in the code that is hard to read, with the words or the name that make it so."""

    path: str
    line: int
    shape: str
    is_text: bool


def files(folders: tuple[str, ...], ending: str = "py") -> list[Path]:
    """Return the source files of these folders without migrations, generated code and libraries."""
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob(f"*.{ending}")))
    others = {"migrations", "_generated", "generated", "node_modules", "idiomorph"}
    return [path for path in paths if not others & set(path.parts)]


def hard_places(path: Path) -> Iterator[HardPlace]:
    """Yield the places of a Python or JavaScript file that are hard to read."""
    source, name = path.read_text(), str(path.relative_to(ROOT))
    if path.suffix == ".py":
        tree = ast.parse(source)
        passages, patterns, variables = texts(source, tree), (_VAGUE, _OPENING), _variables(tree)
    else:
        passages, patterns = _matches(_SCRIPT_COMMENT, source), (_VAGUE,)
        variables = script_variables(source)
    for line, text in passages:
        if shapes := [match.group() for pattern in patterns for match in pattern.finditer(text.strip())]:
            yield HardPlace(name, line, " | ".join(shapes), is_text=True)
    for line, variable in variables:
        yield HardPlace(name, line, variable, is_text=False)


def _matches(pattern: re.Pattern[str], source: str) -> Iterator[tuple[int, str]]:
    """Yield the text of the group that matched, with its line."""
    for match in pattern.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, match[match.lastindex or 0]


def script_variables(source: str) -> Iterator[tuple[int, str]]:
    """Yield each hard name of a script once, with the line of its first use."""
    for pattern in (_SCRIPT_COMMENT, _SCRIPT_STRING):
        source = pattern.sub(lambda match: "\n" * match.group().count("\n"), source)
    lines: dict[str, int] = {}
    for line, word in _matches(_SCRIPT_NAME, source):
        if _is_hard(word):
            lines.setdefault(word, line)
    for word, line in lines.items():
        yield line, word


def texts(source: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of a module with their lines."""
    yield from _docstrings(tree)
    if "#" in source:  # to divide a module into tokens takes longer than all else
        yield from _comments(source)


def _docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every string that is a statement: of modules, classes and functions, and below assignments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not _TOOLS.match(token.string):
            yield token.start[0], token.string.lstrip("#")


def _variables(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and _NAMES.fullmatch(node.id):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg) and _NAMES.fullmatch(node.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and _is_hard(node.name):
            yield node.lineno, node.name


def _is_hard(name: str) -> bool:
    return name not in _VERBS and _NAMES.fullmatch(name.lower().strip("_")) is not None


def _places(folder: str) -> list[HardPlace]:
    return [place for ending in ("py", "js", "mjs") for path in files((folder,), ending) for place in hard_places(path)]


def count(folder: str) -> tuple[int, int]:
    """Return the numbers of flagged texts and of flagged names in a folder."""
    places = _places(folder)
    texts = sum(place.is_text for place in places)
    return texts, len(places) - texts


def main() -> None:
    """Print the places of the folder that is named, or their number for each folder."""
    folders = tuple(sys.argv[1:]) or (*PRODUCT, *BESIDE)
    for folder in folders:
        if sys.argv[1:]:
            sys.stdout.writelines(f"{place.path}:{place.line}: {place.shape}\n" for place in _places(folder))
        texts, names = count(folder)
        sys.stdout.write(f"{folder}: {texts} texts and {names} names\n")


if __name__ == "__main__":
    main()
