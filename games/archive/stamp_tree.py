"""A Merkle tree over the heads of many games. A time stamp of its root is a time stamp of all of them.

The leaf of a head is SHA-256 of ``darbar-stamp|game|head``, an inner node SHA-256 of ``left|right``. A node without a
partner moves up one level unchanged. All digests are lower-case hexadecimal. A path contains the siblings of a leaf up
to the root, each with its side.
"""

import hashlib
from collections.abc import Sequence

Path = tuple[str, ...]
"""For example ``("right 5f0c…", "left 91ab…")``."""


def leaf(game: str, head: str) -> str:
    """Return the leaf of a game's head."""
    return _digest(f"darbar-stamp|{game}|{head}")


def tree(leaves: Sequence[str]) -> tuple[str, list[Path]]:
    """Return the root over these leaves, and the path of each. ``leaves`` must not be empty."""
    paths: list[Path] = [()] * len(leaves)
    level = [(digest, [place]) for place, digest in enumerate(leaves)]
    while len(level) > 1:
        above = []
        for (left, on_left), (right, on_right) in zip(level[::2], level[1::2], strict=False):
            for place in on_left:
                paths[place] = (*paths[place], f"right {right}")
            for place in on_right:
                paths[place] = (*paths[place], f"left {left}")
            above.append((_digest(f"{left}|{right}"), on_left + on_right))
        level = above + level[len(above) * 2 :]
    return level[0][0], paths


def root_of(node: str, path: Sequence[str]) -> str:
    """Return the root to which a path leads. Raises ValueError for an invalid path."""
    for step in path:
        side, _, sibling = step.partition(" ")
        if side not in ("left", "right"):
            raise ValueError(f"a step of a path goes left or right, not {step!r}")
        node = _digest(f"{sibling}|{node}" if side == "left" else f"{node}|{sibling}")
    return node


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
