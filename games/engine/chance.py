"""The sources of a game's chance, and how each draw can be traced to the seed afterwards."""

import hmac
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A source of draws. It is handed to ``decide``; what it gave is written into the events.

    ``draws`` lists the draws made so far as ``(of how many, which)``, for the log's envelope: replay
    never draws, and a verifier derives every one of them again from the seed.
    """

    def __init__(self) -> None:
        self.draws: list[tuple[int, int]] = []

    def choose(self, options: Sequence[T]) -> T:
        """One of ``options``, each place equally likely. ``options`` must not be empty."""
        index = self._index(options)
        self.draws.append((len(options), index))
        return options[index]

    def take(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        """``count`` of ``options`` one after another, without putting back."""
        rest = list(options)
        taken = []
        for _ in range(count):
            index = self._index(rest)
            self.draws.append((len(rest), index))
            taken.append(rest.pop(index))
        return tuple(taken)

    def _index(self, options: Sequence[object]) -> int:
        raise NotImplementedError


class SeededChance(Chance):
    """Draws that follow from a seed.

    Draw ``k`` (counted from 0 over the whole game) is HMAC-SHA-256 keyed with the 32-byte ``seed`` over
    ``game | k | the players' seeds in seat order | the beacon's randomness`` (ASCII, bytes in hexadecimal, joined with
    ``|``; what is not there is left out), read
    as a big-endian number and reduced by ``uniform``. ``drawn`` is how many draws the log already holds.
    """

    def __init__(self, seed: bytes, game: str = "", players: Sequence[bytes] = (), drawn: int = 0) -> None:
        super().__init__()
        self._seed = seed
        self._game = game
        self._players = "".join(f"|{player.hex()}" for player in players)
        self._drawn = drawn

    def _index(self, options: Sequence[object]) -> int:
        message = f"{self._game}|{self._drawn}{self._players}".encode()
        self._drawn += 1
        return uniform(self._seed, message, len(options))


def bot_chance(seed: bytes, game: str, question: str) -> SeededChance:
    """The chance of a Darbar bot at one question, apart from the game's own."""
    return SeededChance(bot_seed(seed, game, question), game)


def bot_seed(seed: bytes, game: str, question: str) -> bytes:
    """The seed of a bot's chance: HMAC-SHA-256 keyed with the game's seed over ``bot|game|question``.

    The commitment binds it before the game, and after the game each answer can be decided again from what its seat
    could see.
    """
    return hmac.digest(seed, f"bot|{game}|{question}".encode(), "sha256")


def analysis_seed(seed: bytes, game: str, question: str) -> bytes:
    """The seed by which the answer to one question is analysed once the game is over, so that it is found the same
    again: HMAC-SHA-256 keyed with the game's seed over ``analysis|game|question``.
    """
    return hmac.digest(seed, f"analysis|{game}|{question}".encode(), "sha256")


def plan_chance(seed: bytes, game: str, question: str, plan: str) -> SeededChance:
    """The chance of the moment at which a plan answers a question, apart from the game's own.

    Its seed is HMAC-SHA-256 keyed with the game's seed over ``plan|game|question|plan``. The id of the plan is known to
    its owner alone. So nobody can say from the seed, once that is known, which answers a plan gave.
    """
    return SeededChance(hmac.digest(seed, f"plan|{game}|{question}|{plan}".encode(), "sha256"), game)


def uniform(seed: bytes, message: bytes, bound: int, bits: int = 256) -> int:
    """A number from 0 to ``bound - 1`` that follows from seed and message, without modulo bias.

    The first ``bits`` bits of the digest are taken where they lie below the largest multiple of
    ``bound``; otherwise the digest is the next message (rejection sampling).
    """
    limit = (1 << bits) - (1 << bits) % bound
    while True:
        message = hmac.digest(seed, message, "sha256")
        value = int.from_bytes(message, "big") >> (256 - bits)
        if value < limit:
            return value % bound


class DrawWanted(ValueError):
    """A script has ended, and one of ``options`` is wanted."""

    def __init__(self, draw: int, options: Sequence[object]) -> None:
        super().__init__(f"draw {draw}: the script is empty, one of {list(options)!r} is wanted")
        self.options = tuple(options)


class ScriptedChance(Chance):
    """Draws that a test or a golden game wrote down: the very things to be chosen, in order.

    A draw that finds its script empty (``DrawWanted``), or names something that is not among the options, is a
    ``ValueError`` that says which draw it was.
    """

    def __init__(self, script: Iterable[object] = ()) -> None:
        super().__init__()
        self.script = list(script)

    def _index(self, options: Sequence[object]) -> int:
        if not self.script:
            raise DrawWanted(len(self.draws) + 1, options)
        wanted = self.script.pop(0)
        for index, option in enumerate(options):
            if option == wanted or str(option) == wanted:
                return index
        raise ValueError(f"draw {len(self.draws) + 1}: {wanted!r} is not one of {list(options)!r}")
