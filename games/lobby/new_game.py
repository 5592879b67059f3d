"""A game as its host wants it, and the checks of that."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from games.engine import AnyRules, Notation, Phrase, RuleViolation, SeededChance, gettext_noop
from games.engine.validation import FILLED_IN, NOT_OFFERED
from games.lobby.seating import Seeding
from games.models import SEED_BYTES, Bot, new_seed
from games.refusals import Refusal
from games.rules.registry import RULES
from games.terms.game_terms import TERMS, GameTerms

SHORTEST_DELAY: Final = timedelta(minutes=10)
LONGEST_DELAY: Final = timedelta(days=7)


class NewGame(GameTerms, frozen=True, kw_only=True):
    """A game as its host wants it: its rules and seats, and its terms."""

    rules: str
    seat_count: int
    options: Mapping[str, Any] = {}
    bots: Sequence[Bot] = ()
    private: bool = False
    club: UUID | None = None
    """The club in which it is created; such a game is private."""
    spectator_delay: timedelta | None = None
    """The delay with which spectators see the game. None means no delay."""
    seed: str = ""
    """The host's part of the game's chance, in hexadecimal; blank: one is made for them."""
    seed_commitment: str = ""
    """The digest of a seed that the host reveals once all seats are taken, in place of one that is told now."""

    @property
    def terms(self) -> GameTerms:
        """The terms alone."""
        return GameTerms(**{name: getattr(self, name) for name in TERMS})


def rules_named(name: str) -> AnyRules:
    if rules := RULES.get(name):
        return rules
    sentence = gettext_noop("There is no game “%(rules)s”; there are: %(known)s.")
    known = tuple(Phrase("%(name)s", {"name": Notation(each)}) for each in RULES)
    raise Refusal("malformed", Phrase(sentence, {"rules": Notation(name[:40]), "known": known}), "rules")


def check_seeding(seeding: Seeding) -> None:
    """Refuse a seed or a commitment to one that cannot be, and both of them."""
    if seeding.seed:
        check_seed(seeding.seed)
    check_seed_commitment(seeding.commitment)
    if seeding.seed and seeding.commitment:
        sentence = gettext_noop("Give a seed, or commit to one and reveal it later, but not both.")
        raise Refusal("malformed", Phrase(sentence), "seed_commitment")


def check_seed_commitment(commitment: str, field: str = "seed_commitment") -> None:
    """Refuse a commitment to a seed that cannot be one; blank is none."""
    if commitment and not _is_digest(commitment):
        sentence = gettext_noop("A commitment to a seed is a SHA-256: 64 hexadecimal digits, a to f in lower case.")
        raise Refusal("malformed", Phrase(sentence), field)


def _is_digest(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{64}", text, re.ASCII) is not None


def check_seed(seed: str) -> None:
    if not _is_digest(seed):
        sentence = gettext_noop("Your own seed has %(digits)s hexadecimal digits, a to f in lower case.")
        raise Refusal("malformed", Phrase(sentence, {"digits": 2 * SEED_BYTES}), "seed")


def check_delay(delay: timedelta | None) -> None:
    """Refuse a delay of spectators that cannot be."""
    if delay is not None and not SHORTEST_DELAY <= delay <= LONGEST_DELAY:
        sentence = gettext_noop("The delay of spectators is from 10 minutes to 7 days. Leave it out for none.")
        raise Refusal("malformed", Phrase(sentence), "spectator_delay")


def check_bots(chosen: NewGame) -> None:
    if len(chosen.bots) >= chosen.seat_count:
        sentence = gettext_noop("Bots take from 0 to %(most)s of these seats: one is yours.")
        raise Refusal("malformed", Phrase(sentence, {"most": chosen.seat_count - 1}), "bots")


def chosen_options(rules: AnyRules, chosen: Mapping[str, Any], seat_count: int) -> Any:
    """Return the complete options for this number of seats. Raises Refusal(malformed).

    They are tried with a set-up that is thrown away, so that a game that was created can start.
    """
    if seat_count not in rules.players:
        sentence = gettext_noop("This game is played by %(least)s to %(most)s.")
        players = {"least": min(rules.players), "most": max(rules.players)}
        raise Refusal("malformed", Phrase(sentence, {**players}), "seat_count")
    if FILLED_IN in chosen:
        sentence = gettext_noop("The server fills this in for a rematch: leave it out.")
        raise Refusal("malformed", Phrase(sentence), f"options.{FILLED_IN}")
    if NOT_OFFERED in chosen:
        sentence = gettext_noop("The server sets this option: leave it out.")
        raise Refusal("malformed", Phrase(sentence), f"options.{NOT_OFFERED}")
    try:
        options = rules.options(**chosen)
        rules.setup(options, seat_count, SeededChance(new_seed()))
    except RuleViolation as violation:
        raise Refusal("malformed", violation.phrase, "options") from violation
    return options
