"""Loads the rules that a package offers, and says in a sentence why they cannot be played."""

from importlib.metadata import EntryPoint
from typing import Any

from games.engine.rules import AnyRules, Rules
from games.rules.packages import GROUP


class BrokenGameError(Exception):
    """An installed package offers a game that cannot be played. The message says why."""


def read_game(offered: Any, where: str) -> tuple[AnyRules, ...]:
    """Return the rules of a package, in all its versions. Raises BrokenGameError for anything else."""
    versions = (offered,) if isinstance(offered, Rules) else offered
    if not isinstance(versions, tuple) or not versions or not all(isinstance(version, Rules) for version in versions):
        raise BrokenGameError(f"{where} has to name a games.engine.Rules or a tuple of them, not {offered!r:.80}.")
    if len({version.name for version in versions}) > 1:
        raise BrokenGameError(
            f"{where} names several games: {[version.name for version in versions]}. Give each its own."
        )
    return versions


def load_point(point: EntryPoint) -> tuple[AnyRules, ...]:
    """Return the rules of an entry point. Raises BrokenGameError if they cannot be loaded."""
    where = f"The entry point {point.name!r} ({point.value}) of the group {GROUP}"
    try:
        offered = point.load()
    except Exception as error:
        raise BrokenGameError(f"{where} cannot be loaded: {error!r}.") from error
    return read_game(offered, where)
