"""Settings of a new game, and their checks: seats, options, seeds, terms and schedule."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import ValidationError

from accounts.local_times import validate_time_zone
from games.engine import AnyRules, Notation, Phrase, RuleViolation, SeededChance, gettext_noop
from games.engine.validation import FILLED_IN, NOT_OFFERED
from games.lobby.seating import Seeding
from games.models import SEED_BYTES, Bot, new_seed
from games.refusals import Refusal
from games.rules.registry import RULES
from games.terms.game_terms import (
    LONGEST,
    MOST_DATES,
    MOST_HOURS,
    MOST_SLEEP,
    MOST_VACATION,
    SHORTEST,
    TERMS,
    WEEKDAYS,
    Described,
    GameTerms,
    Schedule,
)

SHORTEST_DELAY: Final = timedelta(minutes=10)
LONGEST_DELAY: Final = timedelta(days=7)


class NewGame(GameTerms, frozen=True, kw_only=True):
    """The settings of a new game: rules, seats and terms."""

    rules: str
    seat_count: int
    options: Mapping[str, Any] = {}
    bots: Sequence[Bot] = ()
    private: bool = False
    club: UUID | None = None
    """The club in which the game is created. The game is private then."""
    spectator_delay: timedelta | None = None
    """The delay with which spectators see the game. None means no delay."""
    seed: str = ""
    """The host's part of the game's seed, in hexadecimal. If it is blank, the server creates one."""
    seed_commitment: str = ""
    """The digest of a seed that the host reveals once all seats are taken, instead of a seed."""

    @property
    def terms(self) -> GameTerms:
        """The terms of the game."""
        return GameTerms(**{name: getattr(self, name) for name in TERMS})


def rules_named(name: str) -> AnyRules:
    if rules := RULES.get(name):
        return rules
    sentence = gettext_noop("“%(rules)s” isn’t a game. Choose from: %(known)s.")
    titles = tuple(Phrase("%(name)s", {"name": Notation(title)}) for title in RULES)
    phrase = Phrase(sentence, {"rules": Notation(name[:40]), "known": titles})
    raise Refusal("malformed", phrase, "rules", mistake="name-unknown")


def check_seeding(seeding: Seeding) -> None:
    """Refuse an invalid seed, an invalid commitment, and both together."""
    if seeding.seed:
        check_seed(seeding.seed)
    check_seed_commitment(seeding.commitment)
    if seeding.seed and seeding.commitment:
        sentence = gettext_noop("Give a seed, or commit to one and reveal it later, but not both.")
        raise Refusal("malformed", Phrase(sentence), "seed_commitment")


def check_seed_commitment(commitment: str, field: str = "seed_commitment") -> None:
    """Refuse an invalid commitment to a seed. A blank text means that there is none."""
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
    """Refuse an invalid delay of spectators."""
    if delay is not None and not SHORTEST_DELAY <= delay <= LONGEST_DELAY:
        sentence = gettext_noop("The delay of spectators is from 10 minutes to 7 days. Leave it out for none.")
        raise Refusal("malformed", Phrase(sentence), "spectator_delay")


def check_bots(new_game: NewGame) -> None:
    if len(new_game.bots) >= new_game.seat_count:
        sentence = gettext_noop("Bots take from 0 to %(most)s of these seats: one is yours.")
        raise Refusal("malformed", Phrase(sentence, {"most": new_game.seat_count - 1}), "bots")


def chosen_options(rules: AnyRules, values: Mapping[str, Any], seat_count: int) -> Any:
    """Return the complete options for this number of seats. Raises Refusal(malformed).

    The options are tried in a set-up whose result is dropped, so that a game with them can start.
    """
    if seat_count not in rules.players:
        sentence = gettext_noop("This game is played by %(least)s to %(most)s.")
        players = {"least": min(rules.players), "most": max(rules.players)}
        raise Refusal("malformed", Phrase(sentence, {**players}), "seat_count")
    if FILLED_IN in values:
        sentence = gettext_noop("The server fills this in for a rematch: leave it out.")
        raise Refusal("malformed", Phrase(sentence), f"options.{FILLED_IN}")
    if NOT_OFFERED in values:
        sentence = gettext_noop("The server sets this option: leave it out.")
        raise Refusal("malformed", Phrase(sentence), f"options.{NOT_OFFERED}")
    try:
        options = rules.options(**values)
        rules.setup(options, seat_count, SeededChance(new_seed()))
    except RuleViolation as violation:
        raise Refusal("malformed", violation.phrase, "options") from violation
    return options


def check_terms(terms: GameTerms) -> None:
    """Raise Refusal(malformed) for the first invalid term."""
    for described in TERMS.values():
        value, term = getattr(terms, described.name), described.term
        if (described.values and value not in described.values) or (
            term.least is not None and not term.least <= value <= term.most
        ):
            raise Refusal("malformed", Phrase(term.refusal, {**_bounds(described)}), described.name)
    check_schedule(terms.schedule)


def _bounds(described: Described) -> dict[str, int]:
    bounds = {"least": described.term.least, "most": described.term.most}
    return {
        name: value.days if isinstance(value, timedelta) else value
        for name, value in bounds.items()
        if value is not None
    }


def check_schedule(schedule: Schedule) -> None:
    """Raise Refusal(malformed) for the first invalid part of a schedule."""
    _check_zone(schedule)
    _check_days(schedule)
    _check_time_bank(schedule)
    if not 0 <= schedule.sleep <= MOST_SLEEP:
        sentence = gettext_noop("A game can respect from 0 to %(most)s hours of sleep a night.")
        raise _malformed("sleep", sentence, most=MOST_SLEEP)
    if not 0 <= schedule.vacation <= MOST_VACATION:
        sentence = gettext_noop("A game can respect from 0 to %(most)s days of vacation a year.")
        raise _malformed("vacation", sentence, most=MOST_VACATION)


def _check_zone(schedule: Schedule) -> None:
    try:
        validate_time_zone(schedule.zone)
    except ValidationError as error:
        sentence = gettext_noop(
            "“%(name)s” isn’t a time zone of the IANA list. A right one is for example %(nearest)s."
        )
        params = error.params or {}
        values = {name: Notation(str(params[name])) for name in ("name", "nearest")}
        raise Refusal("malformed", Phrase(sentence, {**values}), "schedule.zone") from error


def _check_days(schedule: Schedule) -> None:
    if len(schedule.closes_at) > MOST_HOURS:
        raise _malformed("closes_at", gettext_noop("A day has at most %(most)s fixed hours."), most=MOST_HOURS)
    if any(hour.second or hour.microsecond or hour.tzinfo for hour in schedule.closes_at):
        raise _malformed("closes_at", gettext_noop("Write an hour of the day as hours and minutes, for example 20:00."))
    if len(set(schedule.days_off)) == len(WEEKDAYS):
        raise _malformed("days_off", gettext_noop("At least one day of the week mustn’t be a day off."))
    if len(schedule.dates_off) > MOST_DATES:
        raise _malformed("dates_off", gettext_noop("At most %(most)s single days may be days off."), most=MOST_DATES)


def _check_time_bank(schedule: Schedule) -> None:
    if schedule.time_bank is None:
        return
    if not SHORTEST <= schedule.time_bank.time <= LONGEST:
        raise _malformed("time_bank.time", gettext_noop("A time bank has from one minute to 30 days."))
    if not SHORTEST <= schedule.time_bank.increment <= LONGEST:
        raise _malformed(
            "time_bank.increment", gettext_noop("With every move a time bank gets from one minute to 30 days more.")
        )
    if schedule.closes_at:
        sentence = gettext_noop("A game has fixed hours or time banks, not both: a time bank ends when it is empty.")
        raise _malformed("time_bank", sentence)


def _malformed(field: str, sentence: str, **values: int) -> Refusal:
    return Refusal("malformed", Phrase(sentence, {**values}), f"schedule.{field}")
