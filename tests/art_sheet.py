"""A sheet of the games' drawings: ``python -m tests.art_sheet FILE`` writes it as HTML.

Every figure of the rules pages except whole tables, in three widths, light and dark.
"""

import argparse
import os
import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from games.pages.titles import draw_figure  # noqa: E402  (what follows translates)
from games.rules.registry import RULES  # noqa: E402
from games.visibility.picture import in_theme  # noqa: E402

WIDTHS: Final = (40, 120, 400)
WIDEST: Final = 400.0
"""Figures narrower than this are shown. Pictures of tables are wider."""
_HEAD: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Drawings</title><style>
body { margin: 0 } section { display: flex; flex-wrap: wrap; gap: 12px; padding: 12px; align-items: start }
.light { background: #f1ece2 } .dark { background: #14120e }
</style>
"""


def figures() -> Iterator[str]:
    """Yield every figure as SVG."""
    for rules in RULES.values():
        for name in rules.figures:
            svg = draw_figure(rules, name)
            if float(re.findall(r' width="([\d.]+)"', svg)[0]) < WIDEST:
                yield svg


def sheet() -> Iterator[str]:
    """Yield the parts of the HTML."""
    yield _HEAD
    pictures = list(figures())
    for theme in ("light", "dark"):
        for width in WIDTHS:
            yield f'<section class="{theme}">'
            for svg in pictures:
                image = b64encode(in_theme(svg, theme).encode()).decode()
                yield f'<img width="{width}" alt="" src="data:image/svg+xml;base64,{image}">'
            yield "</section>"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.art_sheet", description="Draw the sheet of drawings.")
    parser.add_argument("file", type=Path, help="the HTML file to write")
    file = parser.parse_args().file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(sheet()))
