"""Check the form of Django templates: ``python -m tests.template_format``, which is a step of ``make lint``.

No line is longer than 120 characters. A line is indented by two spaces for each element and each block tag that is open
where it starts. Lines inside a tag are not checked.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
APPS: Final = ("accounts", "config", "games", "notifications")
WIDTH: Final = 120
_BLOCKS: Final = frozenset({"if", "for", "block", "with", "livepart", "blocktranslate"})
_BRANCHES: Final = frozenset({"else", "elif", "empty", "plural"})
_VOID: Final = frozenset({"!doctype", "br", "col", "hr", "img", "input", "link", "meta"})
# White space in these elements is visible, so their content is not changed.
_RAW: Final = r"<(?P<name>pre|script|style|textarea)\b.*?</(?P=name)>"
_DJANGO: Final = r"{%\s*(?P<django>\w+).*?%}|{{.*?}}|{#.*?#}"
_TOKEN: Final = re.compile(
    rf"(?P<raw>{_RAW})|{_DJANGO}|<(?P<close>/?)(?P<element>[!\w-]+)(?P<attributes>(?:{{%.*?%}}|\"[^\"]*\"|[^<>\"])*)>",
    re.S,
)


def templates() -> list[Path]:
    """Return the templates of pages. Emails have no template, and the scaffold's are made from them by hand."""
    return sorted(path for app in APPS for path in (ROOT / app).rglob("templates/**/*.html"))


def problems(text: str) -> Iterator[str]:
    """Yield the lines of a template that are too long or indented in another way."""
    depths = _depths(text)
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDTH:
            yield f"{number}: longer than {WIDTH} characters"
        indent = len(line) - len(line.lstrip())
        if line and number in depths and indent != 2 * depths[number]:
            yield f"{number}: indented by {indent} spaces in place of {2 * depths[number]}"


def _depths(text: str) -> dict[int, int]:
    """Return for each line how deep it is: how many elements and blocks are open where it starts."""
    tokens = list(_TOKEN.finditer(text))
    pairs = _pairs(tokens)
    depths: dict[int, int] = {}
    depth, line = 0, 1
    for token in tokens:
        start = text.count("\n", 0, token.start()) + 1
        for number in range(line, start + 1):
            depths.setdefault(number, depth)
        is_first = text[text.rfind("\n", 0, token.start()) + 1 : token.start()].strip() == ""
        is_closing = token["django"] in _BRANCHES or token in pairs.values()
        if is_closing and is_first:
            depths[start] = depth - 1
        line = start + token[0].count("\n") + 1
        depth += (token in pairs) - (token in pairs.values())
    return depths


def _pairs(tokens: list[re.Match[str]]) -> dict[re.Match[str], re.Match[str]]:
    """Return the closing token of each opening one. An element must be closed in the same branch of a block."""
    pairs: dict[re.Match[str], re.Match[str]] = {}
    blocks: list[re.Match[str]] = []
    elements: list[list[re.Match[str]]] = [[]]
    for token in tokens:
        if token["django"] in _BLOCKS:
            blocks.append(token)
            elements.append([])
        elif token["django"] in _BRANCHES:
            elements[-1] = []
        elif token["django"] and token["django"].startswith("end"):
            pairs[blocks.pop()] = token
            elements.pop()
        elif token["close"]:
            if elements[-1] and elements[-1][-1]["element"] == token["element"]:
                pairs[elements[-1].pop()] = token
        elif token["element"] and token["element"].lower() not in _VOID and not token["attributes"].endswith("/"):
            elements[-1].append(token)
    return pairs


if __name__ == "__main__":
    lines = [f"{path.relative_to(ROOT)}:{problem}\n" for path in templates() for problem in problems(path.read_text())]
    sys.stderr.writelines(lines)
    sys.exit(bool(lines))
