"""The sources of chance in a game, and how each draw is derived from the seed."""

import hmac
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A source of draws, passed to ``decide``, which writes the results into its events.

    ``draws`` lists the draws so far as ``(number of options, chosen index)``. The log keeps them, so a replay never
    draws, and a verifier can derive each draw from the seed again.
    """

    def __init__(self) -> None:
        self.draws: list[tuple[int, int]] = []

    def choose(self, options: Sequence[T]) -> T:
        """Return one of ``options``, which must not be empty. All positions are equally likely."""
        index = self._index(options)
        self.draws.append((len(options), index))
        return options[index]

    def take(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        """Draw ``count`` of ``options`` one after another, without putting them back."""
        rest = list(options)
        result = []
        for _ in range(count):
            index = self._index(rest)
            self.draws.append((len(rest), index))
            result.append(rest.pop(index))
        return tuple(result)

    def _index(self, options: Sequence[object]) -> int:
        raise NotImplementedError


class SeededChance(Chance):
    """Draws that are derived from a seed.

    Draw ``k``, counted from 0 over the whole game, is HMAC-SHA-256 keyed with the 32-byte ``seed`` over ``game | k |
    the players' seeds in seat order | the beacon's randomness``. The message is ASCII, with bytes in hexadecimal and
    parts joined with ``|``; missing parts are left out. The digest is read as a big-endian number and reduced by
    ``uniform``. ``draw_count`` is the number of draws that the log already contains.
    """

    def __init__(self, seed: bytes, game: str = "", players: Sequence[bytes] = (), draw_count: int = 0) -> None:
        super().__init__()
        self._seed = seed
        self._game = game
        self._players = "".join(f"|{player.hex()}" for player in players)
        self._drawn = draw_count

    def _index(self, options: Sequence[object]) -> int:
        message = f"{self._game}|{self._drawn}{self._players}".encode()
        self._drawn += 1
        return uniform(self._seed, message, len(options))


def bot_chance(seed: bytes, game: str, question: str) -> SeededChance:
    """Return the chance with which a Darbar bot answers one question. It is separate from the chance of the game."""
    return SeededChance(bot_seed(seed, game, question), game)


def bot_seed(seed: bytes, game: str, question: str) -> bytes:
    """Return the seed of a bot's chance: HMAC-SHA-256 keyed with the game's seed over ``bot|game|question``.

    The commitment covers it, so after the game each answer of a bot can be computed again and compared.
    """
    return hmac.digest(seed, f"bot|{game}|{question}".encode(), "sha256")


def analysis_seed(seed: bytes, game: str, question: str) -> bytes:
    """Return the seed for analysing one answer of a finished game, so that each run has the same result.

    It is HMAC-SHA-256 keyed with the game's seed over ``analysis|game|question``.
    """
    return hmac.digest(seed, f"analysis|{game}|{question}".encode(), "sha256")


def plan_chance(seed: bytes, game: str, question: str, plan: str) -> SeededChance:
    """Return the chance that decides when a plan answers a question. It is separate from the chance of the game.

    Its seed is HMAC-SHA-256 keyed with the game's seed over ``plan|game|question|plan``. Only the owner knows the id of
    the plan, so other players cannot derive from the published seed which answers came from plans.
    """
    return SeededChance(hmac.digest(seed, f"plan|{game}|{question}|{plan}".encode(), "sha256"), game)


def uniform(seed: bytes, message: bytes, bound: int, bits: int = 256) -> int:
    """Return a number from 0 to ``bound - 1`` that is derived from seed and message, without modulo bias.

    The first ``bits`` bits of the digest are used if they are below the largest multiple of ``bound``. Otherwise the
    digest becomes the next message (rejection sampling).
    """
    limit = (1 << bits) - (1 << bits) % bound
    while True:
        message = hmac.digest(seed, message, "sha256")
        value = int.from_bytes(message, "big") >> (256 - bits)
        if value < limit:
            return value % bound


class DrawWanted(ValueError):
    """The script of a ``ScriptedChance`` is empty, but a draw among ``options`` is needed."""

    def __init__(self, draw: int, options: Sequence[object]) -> None:
        super().__init__(f"draw {draw}: the script is empty, one of {list(options)!r} is wanted")
        self.options = tuple(options)


class ScriptedChance(Chance):
    """Draws with results that a test, a golden game or a lesson has written down in order.

    Raises ValueError with the number of the draw if the script is empty (``DrawWanted``), or if its next result is not
    among the options.
    """

    def __init__(self, script: Iterable[object] = ()) -> None:
        super().__init__()
        self.script = list(script)

    def _index(self, options: Sequence[object]) -> int:
        if not self.script:
            raise DrawWanted(len(self.draws) + 1, options)
        result = self.script.pop(0)
        for index, option in enumerate(options):
            if option == result or str(option) == result:
                return index
        raise ValueError(f"draw {len(self.draws) + 1}: {result!r} is not one of {list(options)!r}")
