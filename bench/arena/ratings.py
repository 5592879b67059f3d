"""Ratings of all players of an arena, from the number of their wins against rivals of each kind (Bradley and Terry).

A player of strength ``a`` among ``n`` rivals of strength ``b`` wins with probability ``a / (a + n * b)``. The strengths
are those with the maximum likelihood.
"""

from collections.abc import Iterable, Sequence
from math import exp, log, sqrt
from typing import Final

import msgspec

from bench.bots import SURE
from games.engine.types import NORMAL

MIDDLE: Final = 1500.0
"""The rating of ``normal``."""
SCALE: Final = 400 / log(10)
"""A player who is rated 400 above a single rival wins ten games to one, as in chess."""
ROUNDS: Final = 100
EXACT: Final = 1e-9


class Result(msgspec.Struct, frozen=True):
    """The games of one player among rivals of one kind."""

    player: str
    rival: str
    rivals: int
    games: int
    won: float


class Rating(msgspec.Struct, frozen=True):
    """A rating, and half the width of its interval of 95 %."""

    value: float
    width: float


def ratings(results: Iterable[Result]) -> dict[str, Rating]:
    """Return the ratings of all players. That of ``normal`` is fixed, so it has no width.

    Every other player gets an additional game against ``normal``, of which half is won, so that the rating of a player
    who won all games is finite. If the results differ from the ratings by more than luck, all widths grow by the same
    factor.
    """
    played = [result for result in results if result.player != result.rival]
    names = sorted({name for result in played for name in (result.player, result.rival)} - {NORMAL})
    games = played + [Result(name, NORMAL, rivals=1, games=1, won=0.5) for name in names]
    strengths = dict.fromkeys([*names, NORMAL], 0.0)
    for _ in range(ROUNDS):
        gradient, information = _slopes(games, names, strengths)
        errors = inverse(information)
        steps = [sum(a * b for a, b in zip(row, gradient, strict=True)) for row in errors]
        for name, step in zip(names, steps, strict=True):
            strengths[name] += max(-1.0, min(1.0, step))
        if all(abs(step) < EXACT for step in steps):
            break
    width = SCALE * SURE * sqrt(max(1.0, _misfit(played, strengths) / max(1, len(played) - len(names))))
    rated = {
        name: Rating(MIDDLE + SCALE * strengths[name], width * sqrt(errors[at][at])) for at, name in enumerate(names)
    }
    return {NORMAL: Rating(MIDDLE, 0.0), **rated}


def _slopes(
    games: Sequence[Result], names: Sequence[str], strengths: dict[str, float]
) -> tuple[list[float], list[list[float]]]:
    """Return the first and, with the sign changed, the second derivatives of the likelihood's logarithm."""
    place = {name: at for at, name in enumerate(names)}
    gradient = [0.0] * len(names)
    information = [[0.0] * len(names) for _ in names]
    for game in games:
        share = expected(game, strengths)
        signs = [(place[name], sign) for name, sign in ((game.player, 1), (game.rival, -1)) if name in place]
        for at, sign in signs:
            gradient[at] += sign * (game.won - game.games * share)
            for other, opposite in signs:
                information[at][other] += sign * opposite * game.games * share * (1 - share)
    return gradient, information


def expected(result: Result, strengths: dict[str, float]) -> float:
    """Return the share of these games that the player wins by the strengths of both."""
    return 1 / (1 + result.rivals * exp(strengths[result.rival] - strengths[result.player]))


def _misfit(played: Sequence[Result], strengths: dict[str, float]) -> float:
    """Return Pearson's sum of squares: about 1 for each result if only luck separates results and ratings."""
    shares = [(result, expected(result, strengths)) for result in played]
    return sum(
        (result.won - result.games * share) ** 2 / (result.games * share * (1 - share)) for result, share in shares
    )


def inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix (Gauss and Jordan)."""
    size = len(matrix)
    rows = [[*row, *(float(at == other) for other in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]
