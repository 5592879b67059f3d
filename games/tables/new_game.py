"""New games: the check of their options and terms, and the seats of a game before it starts."""

import hashlib
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError

from accounts import email_addresses
from accounts.local_times import validate_time_zone
from accounts.models import Account, Language
from games.engine import AnyRules, Notation, Phrase, RuleViolation, SeatNumber, SeededChance, gettext_noop
from games.engine.reading import fold
from games.engine.validation import FILLED_IN, NOT_OFFERED
from games.event_log.table_events import Joined, Started
from games.models import SEED_BYTES, Bot, Game, Seat, new_seed, player_id
from games.play.locked_game import LockedGame, lock_game
from games.refusals import Refusal, not_found
from games.rules.registry import RULES
from games.terms import (
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

BOT_NAMES: Final = {
    Language.ENGLISH: (
        "Jazari",
        "Heron",
        "Ktesibios",
        "Vaucanson",
        "Maillardet",
        "Kempelen",
        "Pygmalion",
        "Talos",
        "Galatea",
        "Olimpia",
        "Coppelia",
        "Tik-Tok",
    ),
    Language.PERSIAN: (
        "جزری",
        "هرون",
        "کتسیبیوس",
        "ووکانسون",
        "مایارده",
        "کمپلن",
        "پیگمالیون",
        "تالوس",
        "گالاتیا",
        "اولیمپیا",
        "کوپلیا",
        "تیک‌تاک",
    ),
}
"""The names of bots in each language: makers of automata, and automata."""


@dataclass(frozen=True)
class Seeding:
    """A player's own part of the game's seed."""

    seed: str = ""
    """In hexadecimal. If it is blank, the server creates one, unless there is a commitment."""
    commitment: str = ""
    """The digest of a seed that they reveal once all seats are taken."""


NOT_SEEDED: Final = Seeding()


def seeding_of(words: str) -> Seeding:
    """Return the seed from lucky words. Their digest is mixed in, but does not protect the deal."""
    return Seeding(seed=hashlib.sha256(words.encode()).hexdigest()) if words else NOT_SEEDED


@contextmanager
def held_game(game: uuid.UUID, now: datetime) -> Iterator[LockedGame]:
    with lock_game(game, now) as locked:
        if locked is None:
            raise not_found()
        yield locked


def check_open(locked: LockedGame) -> None:
    if locked.game.state != Game.State.OPEN:
        raise Refusal("conflict", Phrase(gettext_noop("This game is no longer open.")))


def take_seat(locked: LockedGame, account: Account, via: str, seeding: Seeding = NOT_SEEDED) -> None:
    """Put a person on the next seat."""
    seat = SeatNumber(len(locked.seats) + 1)
    committed = seeding.commitment
    seed = "" if committed else seeding.seed or new_seed().hex()
    seat_row = Seat(game=locked.game, number=seat, account=account, seed=seed, seed_commitment=committed)
    seat_row.save(force_insert=True)
    locked.seats[seat] = seat_row
    player = player_id(locked.game.pk, account.pk)
    locked.add_table_event(Joined(seat=seat, seed=seed, seed_commitment=committed, player=player), via, seat)


def seat_bot(locked: LockedGame, name: str, bot: Bot, via: str) -> None:
    """Put a bot of this name on the next seat."""
    seat = SeatNumber(len(locked.seats) + 1)
    seat_row = Seat(game=locked.game, number=seat, bot=True, name=name, level=bot.level, style=bot.style)
    seat_row.save(force_insert=True)
    locked.seats[seat] = seat_row
    locked.add_table_event(Joined(seat=seat, bot=True, level=bot.level, style=bot.style), via, seat)


def start(locked: LockedGame) -> None:
    """Start a game with the players on its seats. The caller adds the events of its set-up."""
    game = locked.game
    game.seat_count = len(locked.seats)
    people = [seat.account_id for seat in locked.seats.values() if seat.account_id]
    game.has_guests = len(people) > 1 and Account.objects.filter(pk__in=people, is_guest=True).exists()
    game.guest_token = ""
    game.state = Game.State.RUNNING
    game.started_at = locked.now
    locked.add_table_event(Started(seat_count=game.seat_count))


def deal(locked: LockedGame) -> None:
    """Start a game, and deal."""
    start(locked)
    game, chance = locked.game, locked.chance()
    try:
        options = msgspec.convert(game.options, locked.rules.option_type)
        events = locked.rules.setup(options, game.seat_count, chance)
    except RuleViolation as violation:
        raise Refusal("conflict", violation.phrase) from violation
    locked.apply_events(events, chance)


def bot_names(people: Iterable[Account], used: Iterable[str], count: int) -> list[str]:
    """Return ``count`` names for bots that are not similar to the names in ``used``.

    They are in the language of the people, or in English if people read different languages.
    """
    folded = {fold(name) for name in used}
    languages = {person.language for person in people}
    language = Language(*languages) if len(languages) == 1 else Language.ENGLISH
    return [name for name in BOT_NAMES[language] if fold(name) not in folded][:count]


def check_address(account: Account) -> None:
    """Refuse a game with other people to a guest, and to an account without a confirmed address.

    The address of an account that the operator created counts as confirmed. Raises Refusal(forbidden).
    """
    if account.is_guest:
        sentence = gettext_noop("Make an account first, with your email address: games with other people are rated.")
        raise Refusal("forbidden", Phrase(sentence))
    if not email_addresses.confirmed_addresses(account):
        sentence = gettext_noop(
            "Confirm your email address first: games with other people are rated. Log out and log in again, and we "
            "send you a code."
        )
        raise Refusal("forbidden", Phrase(sentence))


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
        sentence = gettext_noop(
            "A commitment to a seed is a SHA-256 hash: 64 hexadecimal digits, a to f in lower case."
        )
        raise Refusal("malformed", Phrase(sentence), field)


def _is_digest(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{64}", text, re.ASCII) is not None


def check_seed(seed: str) -> None:
    if not _is_digest(seed):
        sentence = gettext_noop("Your own seed must have %(digits)s hexadecimal digits, a to f in lower case.")
        raise Refusal("malformed", Phrase(sentence, {"digits": 2 * SEED_BYTES}), "seed")


def check_delay(delay: timedelta | None) -> None:
    """Refuse an invalid delay of spectators."""
    if delay is not None and not SHORTEST_DELAY <= delay <= LONGEST_DELAY:
        sentence = gettext_noop("The delay for spectators must be from 10 minutes to 7 days. Leave it out for none.")
        raise Refusal("malformed", Phrase(sentence), "spectator_delay")


def check_bots(new_game: NewGame) -> None:
    if len(new_game.bots) >= new_game.seat_count:
        sentence = gettext_noop("Bots can take from 0 to %(most)s of these seats: one is yours.")
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
        sentence = gettext_noop("“%(name)s” isn’t a time zone of the IANA list. Write one such as %(nearest)s.")
        params = error.params or {}
        values = {name: Notation(str(params[name])) for name in ("name", "nearest")}
        raise Refusal("malformed", Phrase(sentence, {**values}), "schedule.zone") from error


def _check_days(schedule: Schedule) -> None:
    if len(schedule.closes_at) > MOST_HOURS:
        raise _malformed("closes_at", gettext_noop("A day can have at most %(most)s fixed hours."), most=MOST_HOURS)
    if any(hour.second or hour.microsecond or hour.tzinfo for hour in schedule.closes_at):
        raise _malformed("closes_at", gettext_noop("Write an hour of the day as hours and minutes, for example 20:00."))
    if len(set(schedule.days_off)) == len(WEEKDAYS):
        raise _malformed("days_off", gettext_noop("Keep at least one day of the week that isn’t a day off."))
    if len(schedule.dates_off) > MOST_DATES:
        raise _malformed("dates_off", gettext_noop("At most %(most)s single days can be days off."), most=MOST_DATES)


def _check_time_bank(schedule: Schedule) -> None:
    if schedule.time_bank is None:
        return
    if not SHORTEST <= schedule.time_bank.time <= LONGEST:
        raise _malformed("time_bank.time", gettext_noop("A time bank must have from one minute to 30 days."))
    if not SHORTEST <= schedule.time_bank.increment <= LONGEST:
        raise _malformed(
            "time_bank.increment", gettext_noop("Each move can add from one minute to 30 days to a time bank.")
        )
    if schedule.closes_at:
        sentence = gettext_noop(
            "A game can have fixed hours or time banks, not both: a time bank ends when it is empty."
        )
        raise _malformed("time_bank", sentence)


def _malformed(field: str, sentence: str, **values: int) -> Refusal:
    return Refusal("malformed", Phrase(sentence, {**values}), f"schedule.{field}")
