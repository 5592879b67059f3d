"""``python -m games.new NAME [FOLDER]``: the package of a new game, which can be played at once and passes its test.

What is written lies in ``package`` as it is, with NAME for the name of the game and Title for its title. The game is
small: everybody is dealt a number and may swap it once; the highest wins. docs/games.md says what to write instead.
"""

import re
from pathlib import Path
from typing import Final

TEMPLATES: Final = Path(__file__).with_name("package")
_NAME: Final = re.compile(r"[a-z][a-z0-9]{1,19}")


class BadNameError(ValueError):
    """A game cannot have this name, or its folder is there already; the sentence says why."""


def write_package(name: str, folder: Path) -> list[Path]:
    """Write the package of a new game into a folder of its own, and return the files.

    BadNameError where the name cannot be, or the folder is there; nothing is written then.
    """
    if not _NAME.fullmatch(name):
        raise BadNameError(f"A game's name has 2 to 20 lower-case letters and digits, a letter first, not {name!r}.")
    root = folder / f"darbar-{name}"
    if root.exists():
        raise BadNameError(f"{root} is there already.")
    written = []
    for template in sorted(TEMPLATES.rglob("*.txt")):
        path = root / _filled(str(template.relative_to(TEMPLATES)).removesuffix(".txt"), name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled(template.read_text(), name))
        written.append(path)
    return written


def _filled(text: str, name: str) -> str:
    return text.replace("NAME", name).replace("Title", name.capitalize())
