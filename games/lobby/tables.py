"""Creating a game, joining and leaving its table, and starting it."""

import hmac
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import transaction

from accounts.models import Account
from accounts.people.blocks import any_blocked
from games.deadlines import terms
from games.deadlines.calculation import Schedule
from games.engine import AnyRules, Notation, Phrase, RuleViolation, SeatNumber, SeededChance, gettext_noop
from games.engine.reading import fold
from games.engine.rules import FILLED_IN, NOT_OFFERED
from games.event_log.table_events import GameCancelled, GameCreated, Joined, Left, Started
from games.models import SEED_BYTES, Bot, Game, Seat, commitment_of, new_seed
from games.play import absence, game_caps
from games.play.locked_game import SERVER, Sitting, held
from games.refusals import Refusal, not_found, not_seated
from games.rules.registry import RULES

MOST_PAUSED: Final = timedelta(days=60)
"""For no longer than this in all may a table be paused."""
BOT_NAMES: Final = (
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
)
"""What bots are called: makers of automata, and automata."""


class NewGame(msgspec.Struct, frozen=True):
    """What a host chooses."""

    rules: str
    seat_count: int
    options: Mapping[str, Any] = {}
    bots: Sequence[Bot] = ()
    turn_limit: timedelta = timedelta(days=2)
    reaction_limit: timedelta = timedelta(days=1)
    choice_limit: timedelta = timedelta(days=1)
    schedule: Schedule = Schedule()
    private: bool = False
    seed: str = ""
    """What the host adds to the game's chance, in hexadecimal; blank: one is made for them."""
    talk: str = Game.Talk.ALL.value
    pauses: timedelta = timedelta(days=14)
    """For how long the game may be paused in all; nothing: never."""
    longest_pause: timedelta = timedelta(days=7)
    misses: int = 3
    absence: str = Game.Absence.BOT.value


def create_game(host: Account, chosen: NewGame, via: str, now: datetime) -> Game:
    """Create a game with its host on seat 1. It begins at once where everybody else is a bot.

    The seed of its chance is made here and bound by the commitment that is public from now on.
    Refusal ``malformed`` names what cannot be chosen; ``limit-reached`` and ``rate-limited``: too many games.
    """
    rules = _rules(chosen.rules)
    options = chosen_options(rules, chosen.options, chosen.seat_count)
    _check_bots(chosen)
    _check_times(chosen)
    _check_seed(chosen.seed)
    _check_talk(chosen)
    _check_pauses(chosen)
    absence.check(chosen.misses, chosen.absence)
    game = _new_game(
        rules,
        host,
        options=msgspec.to_builtins(options),
        seat_count=chosen.seat_count,
        bot_count=len(chosen.bots),
        turn_limit=chosen.turn_limit,
        reaction_limit=chosen.reaction_limit,
        choice_limit=chosen.choice_limit,
        schedule=msgspec.to_builtins(chosen.schedule),
        private=chosen.private,
        talk=chosen.talk,
        pauses=chosen.pauses,
        longest_pause=chosen.longest_pause,
        misses=chosen.misses,
        absence=chosen.absence,
        created_at=now,
    )
    with game_caps.locked(host):
        game_caps.check_new(host, now, open=len(chosen.bots) + 1 < chosen.seat_count)
        with _created(game, via, now) as sitting:
            _seat(sitting, host, via, seed=chosen.seed)
            _begin_if_full(sitting)
    return sitting.game


def _new_game(rules: AnyRules, host: Account, **chosen: Any) -> Game:
    """A table that is not stored yet, its chance bound by a commitment."""
    game = Game(rules=rules.name, rules_version=rules.version, host=host, **chosen)
    game.commitment = commitment_of(game.id, game.seed)
    return game


@contextmanager
def _created(game: Game, via: str, now: datetime) -> Iterator[Sitting]:
    """Store a new table and hold it, with nobody seated yet."""
    with transaction.atomic():
        game.save(force_insert=True)
        with _held(game.id, now) as sitting:
            created = GameCreated(
                rules=game.rules,
                version=game.rules_version,
                seat_count=game.seat_count,
                bot_count=game.bot_count,
                turn_limit=int(game.turn_limit.total_seconds()),
                reaction_limit=int(game.reaction_limit.total_seconds()),
                choice_limit=int(game.choice_limit.total_seconds()),
                commitment=game.commitment,
                misses=game.misses,
                absence=game.absence,
            )
            sitting.tell(created, via)
            yield sitting


def _rules(name: str) -> AnyRules:
    if rules := RULES.get(name):
        return rules
    sentence = gettext_noop("There is no game “%(rules)s”; there are: %(known)s.")
    known = tuple(Phrase("%(name)s", {"name": Notation(each)}) for each in RULES)
    raise Refusal("malformed", Phrase(sentence, {"rules": Notation(name[:40]), "known": known}), "rules")


def _check_seed(seed: str) -> None:
    if seed and not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", seed, re.ASCII):
        sentence = gettext_noop("A seed of your own has %(digits)s hexadecimal digits, a to f in lower case.")
        raise Refusal("malformed", Phrase(sentence, {"digits": 2 * SEED_BYTES}), "seed")


def _check_bots(chosen: NewGame) -> None:
    if len(chosen.bots) >= chosen.seat_count:
        sentence = gettext_noop("Bots take from 0 to %(most)s of these seats: one is yours.")
        raise Refusal("malformed", Phrase(sentence, {"most": chosen.seat_count - 1}), "bots")


def _check_times(chosen: NewGame) -> None:
    for field, length in (
        ("turn_limit", chosen.turn_limit),
        ("reaction_limit", chosen.reaction_limit),
        ("choice_limit", chosen.choice_limit),
    ):
        if not terms.SHORTEST <= length <= terms.LONGEST:
            raise Refusal("malformed", Phrase(gettext_noop("A time limit is from one minute to 30 days.")), field)
    terms.check(chosen.schedule)


def _check_talk(chosen: NewGame) -> None:
    if chosen.talk not in Game.Talk.values:
        sentence = gettext_noop("What may be said at a table is all, table (no private letters) or none.")
        raise Refusal("malformed", Phrase(sentence), "talk")


def _check_pauses(chosen: NewGame) -> None:
    for field, length in (("pauses", chosen.pauses), ("longest_pause", chosen.longest_pause)):
        if not timedelta() <= length <= MOST_PAUSED:
            sentence = gettext_noop("The time for pauses is from nothing to %(days)s days.")
            raise Refusal("malformed", Phrase(sentence, {"days": MOST_PAUSED.days}), field)


def chosen_options(rules: AnyRules, chosen: Mapping[str, Any], seat_count: int) -> Any:
    """The options of a table for so many, complete. Refusal ``malformed`` names what cannot be chosen.

    They are tried with a throw-away set-up, so that a game that was created can begin.
    """
    if seat_count not in rules.players:
        sentence = gettext_noop("This game is played by %(least)s to %(most)s.")
        players = {"least": min(rules.players), "most": max(rules.players)}
        raise Refusal("malformed", Phrase(sentence, {**players}), "seat_count")
    if FILLED_IN in chosen:
        sentence = gettext_noop("Who won before is filled in by the table itself, in a rematch.")
        raise Refusal("malformed", Phrase(sentence), f"options.{FILLED_IN}")
    if NOT_OFFERED in chosen:
        sentence = gettext_noop("Nobody may choose this option.")
        raise Refusal("malformed", Phrase(sentence), f"options.{NOT_OFFERED}")
    try:
        options = rules.options(**chosen)
        rules.setup(options, seat_count, SeededChance(new_seed()))
    except RuleViolation as violation:
        raise Refusal("malformed", violation.phrase, "options") from violation
    return options


def join(game: uuid.UUID, account: Account, code: str, via: str, now: datetime, seed: str = "") -> Game:
    """Take the next free seat. Whoever comes to a private table without its code is told that there is none.

    ``seed`` is what they add to the game's chance, in hexadecimal; blank: one is made for them.
    """
    _check_seed(seed)
    with game_caps.locked(account), _held(game, now) as sitting:
        if sitting.game.private and not hmac.compare_digest(code.strip().lower().encode(), sitting.game.code.encode()):
            raise not_found()
        _must_be_open(sitting)
        if sitting.seat_of(account):
            raise Refusal("conflict", Phrase(gettext_noop("You sit at this table already.")))
        _must_get_along(sitting, account)
        game_caps.check_joining(account, now)
        _seat(sitting, account, via, seed=seed)
        _begin_if_full(sitting)
    return sitting.game


def rematch(game: uuid.UUID, account: Account, changed: Mapping[str, Any], via: str, now: datetime) -> Game:
    """Seat the same people once more, on the same seats, and begin at once.

    ``changed`` are options that are to differ. A game has one rematch: whoever asks for it again gets the same. A
    bot takes the seat of somebody who has left the server, or is kept apart from who asks.
    """
    with game_caps.locked(account), _held(game, now) as old:
        _must_sit(old, account)
        if old.game.state != Game.State.OVER:
            raise Refusal("conflict", Phrase(gettext_noop("This game is not over yet.")))
        if old.game.rematch is None:
            game_caps.check_new(account, now, open=False)
            old.game.rematch = _create_rematch(old, account, changed, via)
            old.game.save(update_fields=["rematch"])
    return old.game.rematch


def _plays_again(seat: Seat, account: Account) -> bool:
    """Whether a seat's player is there, and not kept apart from who wants to play again."""
    return bool(seat.account and seat.account.is_active and not any_blocked(account.pk, [seat.account.pk]))


def _create_rematch(old: Sitting, account: Account, changed: Mapping[str, Any], via: str) -> Game:
    """A table like the one before, with the same people, and the game at it begun."""
    before = {name: value for name, value in old.game.options.items() if name != FILLED_IN}
    options = chosen_options(old.rules, {**before, **changed}, old.game.seat_count)
    people = {seat: seat_row.account for seat, seat_row in old.seats.items() if _plays_again(seat_row, account)}
    game = _new_game(
        old.rules,
        account,
        options=msgspec.to_builtins(options),
        seat_count=old.game.seat_count,
        bot_count=old.game.seat_count - len(people),
        turn_limit=old.game.turn_limit,
        reaction_limit=old.game.reaction_limit,
        choice_limit=old.game.choice_limit,
        schedule=old.game.schedule,
        private=old.game.private,
        talk=old.game.talk,
        pauses=old.game.pauses,
        longest_pause=old.game.longest_pause,
        misses=old.game.misses,
        absence=old.game.absence,
        created_at=old.now,
    )
    outcome = old.rules.outcome(old.state)
    if FILLED_IN in game.options and outcome is not None:
        game.options[FILLED_IN] = list(outcome.winners)
    with _created(game, via, old.now) as sitting:
        names = iter(bot_names((person.name for person in people.values()), game.bot_count))
        for seat in sorted(old.seats):
            person = people.get(seat)
            _seat(sitting, person, via, "" if person else next(names))
        _deal(sitting)
    return sitting.game


def leave(game: uuid.UUID, account: Account, via: str, now: datetime) -> Game:
    """Get up before the game begins. The host's part goes to the next; a game nobody sits at is cancelled."""
    with _held(game, now) as sitting:
        seat = _must_sit(sitting, account)
        _must_be_open(sitting)
        _get_up(sitting, seat, via)
        first = sitting.seats.get(SeatNumber(1))
        sitting.game.host = first.account if first else None
        if first is None:
            sitting.game.state = Game.State.CANCELLED
            sitting.game.ended_at = now
            sitting.tell(GameCancelled())
    return sitting.game


def start(game: uuid.UUID, account: Account, now: datetime) -> Game:
    """Begin with those who sit here and the bots, as the host may once they are enough."""
    with _held(game, now) as sitting:
        _must_sit(sitting, account)
        if sitting.game.host_id != account.pk:
            raise Refusal("forbidden", Phrase(gettext_noop("Only the host may begin the game.")))
        _must_be_open(sitting)
        least = min(sitting.rules.players)
        if len(sitting.seats) + sitting.game.bot_count < least:
            sentence = gettext_noop("This game needs at least %(least)s players.")
            raise Refusal("conflict", Phrase(sentence, {"least": least}))
        _begin(sitting)
    return sitting.game


@contextmanager
def _held(game: uuid.UUID, now: datetime) -> Iterator[Sitting]:
    with held(game, now) as sitting:
        if sitting is None:
            raise not_found()
        yield sitting


def _must_be_open(sitting: Sitting) -> None:
    if sitting.game.state != Game.State.OPEN:
        raise Refusal("conflict", Phrase(gettext_noop("This game is not open any more.")))


def _must_get_along(sitting: Sitting, account: Account) -> None:
    """Keep those apart at public tables who are so by somebody's wish; whose it is, and about whom, is not said.

    Whoever has the code of a private table was given it by somebody there.
    """
    seated = [seat.account_id for seat in sitting.seats.values() if seat.account_id]
    if not sitting.game.private and any_blocked(account.pk, seated):
        raise Refusal("forbidden", Phrase(gettext_noop("This table is not for you: please choose another.")))


def _must_sit(sitting: Sitting, account: Account) -> SeatNumber:
    if seat := sitting.seat_of(account):
        return seat
    raise not_seated(private=sitting.game.private)


def _seat(sitting: Sitting, account: Account | None, via: str, name: str = "", seed: str = "") -> None:
    """Put a person, or a bot of this name, on the next seat."""
    seat = SeatNumber(len(sitting.seats) + 1)
    bot = account is None
    seed = "" if bot else seed or new_seed().hex()
    seat_row = Seat(game=sitting.game, number=seat, account=account, bot=bot, name=name, seed=seed)
    seat_row.save(force_insert=True)
    sitting.seats[seat] = seat_row
    sitting.tell(Joined(seat=seat, bot=bot, seed=seed), via, seat)


def _get_up(sitting: Sitting, seat: SeatNumber, via: str) -> None:
    """Free a seat; those behind it move up."""
    sitting.seats.pop(seat).delete()
    for behind in sorted(each for each in sitting.seats if each > seat):
        seat_row = sitting.seats.pop(behind)
        seat_row.number = behind - 1
        seat_row.save(update_fields=["number"])
        sitting.seats[SeatNumber(seat_row.number)] = seat_row
    sitting.tell(Left(seat=seat), via, seat)


def _begin_if_full(sitting: Sitting) -> None:
    if len(sitting.seats) + sitting.game.bot_count == sitting.game.seat_count:
        _begin(sitting)


def _begin(sitting: Sitting) -> None:
    """Seat the bots, deal, and ask the first question."""
    for name in bot_names(sitting.names().values(), sitting.game.bot_count):
        _seat(sitting, None, SERVER, name)
    _deal(sitting)


def _deal(sitting: Sitting) -> None:
    """Begin with those who sit here."""
    game = sitting.game
    game.seat_count = len(sitting.seats)
    game.state = Game.State.RUNNING
    game.started_at = sitting.now
    sitting.tell(Started(seat_count=game.seat_count))
    chance = sitting.chance()
    try:
        options = msgspec.convert(game.options, sitting.rules.option_type)
        events = sitting.rules.setup(options, game.seat_count, chance)
    except RuleViolation as violation:
        raise Refusal("conflict", violation.phrase) from violation
    sitting.happen(events, chance)


def bot_names(taken: Iterable[str], count: int) -> list[str]:
    """So many names for bots, none of them like a player's."""
    folded = {fold(name) for name in taken}
    return [name for name in BOT_NAMES if fold(name) not in folded][:count]
