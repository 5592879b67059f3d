"""Count the words of the English documents: ``python -m tests.document_words``.

Persian, the changelog and tables that a program writes or compares cell by cell are not counted.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from tests.server.darbar import ROOT

MOST_WORDS: Final = 40_000
_SKIPPED: Final = re.compile(r"^(CHANGELOG\.md|docs/glossary\.md|docs/site/fa/.*|\.github/.*)$")
_GENERATED: Final = re.compile(r"<!-- (?:arena: begin|written by).*?<!-- (?:arena: end|to here) -->", re.S)
_ROLE_ROW: Final = re.compile(r"^\| `[A-Z]+ /.*$", re.M)
"""A row of docs/roles.md, which a test compares with the server."""
_GENERATED_TABLE: Final = re.compile(r"^\|.*$", re.M)


def documents() -> Iterator[str]:
    """Yield the paths of the English documents that are counted."""
    files = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield from (file for file in files.split() if not _SKIPPED.match(file) and (ROOT / file).is_file())


def count_words(file: str) -> int:
    """Return the number of words of a document without the tables that a program writes."""
    text = _ROLE_ROW.sub("", _GENERATED.sub("", (ROOT / file).read_text()))
    if file == "docs/limits.md":
        text = _GENERATED_TABLE.sub("", text)  # tests/limits_table.py writes its table
    return sum(1 for word in text.split() if re.search(r"[A-Za-z0-9]", word))


def main() -> None:
    counts = {file: count_words(file) for file in documents()}
    for file, words in sorted(counts.items(), key=lambda item: -item[1]):
        sys.stdout.write(f"{words:7,} {file}\n")
    sys.stdout.write(f"{sum(counts.values()):7,} of at most {MOST_WORDS:,}\n")


if __name__ == "__main__":
    main()
