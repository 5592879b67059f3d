"""Creating a game, joining and leaving its table, and starting it."""

import hmac
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import transaction

from accounts.models import Account
from accounts.people.blocks import any_blocked
from games.engine import AnyRules, Notation, Phrase, RuleViolation, SeatNumber, SeededChance, gettext_noop
from games.engine.reading import fold
from games.engine.rules import FILLED_IN, NOT_OFFERED
from games.event_log.table_events import GameCancelled, GameCreated, Joined, Left, Started
from games.lobby.check_terms import check_terms
from games.models import SEED_BYTES, Bot, Game, Seat, commitment_of, new_seed
from games.play import game_caps
from games.play.locked_game import SERVER, LockedGame, held
from games.refusals import Refusal, not_found, not_seated
from games.rules.registry import RULES
from games.terms.game_terms import TERMS, GameTerms

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


class NewGame(GameTerms, frozen=True, kw_only=True):
    """A game as its host wants it: its rules and seats, and its terms."""

    rules: str
    seat_count: int
    options: Mapping[str, Any] = {}
    bots: Sequence[Bot] = ()
    private: bool = False
    seed: str = ""
    """What the host adds to the game's chance, in hexadecimal; blank: one is made for them."""

    @property
    def terms(self) -> GameTerms:
        """The terms alone."""
        return GameTerms(**{name: getattr(self, name) for name in TERMS})


def create_game(host: Account, chosen: NewGame, via: str, now: datetime) -> Game:
    """Create a game with its host on seat 1. It begins at once where everybody else is a bot.

    The seed of its chance is made here and bound by the commitment that is public from now on.
    Refusal ``malformed`` names what cannot be chosen; ``limit-reached`` and ``rate-limited``: too many games.
    """
    rules = _rules(chosen.rules)
    options = chosen_options(rules, chosen.options, chosen.seat_count)
    _check_bots(chosen)
    _check_seed(chosen.seed)
    check_terms(chosen.terms)
    game = _new_game(
        rules,
        host,
        options=msgspec.to_builtins(options),
        seat_count=chosen.seat_count,
        bot_count=len(chosen.bots),
        terms=chosen.terms,
        private=chosen.private,
        created_at=now,
    )
    with game_caps.locked(host):
        game_caps.check_new(host, now, open=len(chosen.bots) + 1 < chosen.seat_count)
        with _created(game, via, now) as locked:
            _seat(locked, host, via, seed=chosen.seed)
            _begin_if_full(locked)
    return locked.game


def _new_game(rules: AnyRules, host: Account, **chosen: Any) -> Game:
    """A table that is not stored yet, its chance bound by a commitment."""
    game = Game(rules=rules.name, rules_version=rules.version, host=host, **chosen)
    game.commitment = commitment_of(game.id, game.seed)
    return game


@contextmanager
def _created(game: Game, via: str, now: datetime) -> Iterator[LockedGame]:
    """Store a new table and hold it, with nobody seated yet."""
    with transaction.atomic():
        game.save(force_insert=True)
        with _held(game.id, now) as locked:
            created = GameCreated(
                rules=game.rules,
                version=game.rules_version,
                seat_count=game.seat_count,
                bot_count=game.bot_count,
                commitment=game.commitment,
                terms=game.terms,
            )
            locked.tell(created, via)
            yield locked


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
    with game_caps.locked(account), _held(game, now) as locked:
        if locked.game.private and not hmac.compare_digest(code.strip().lower().encode(), locked.game.code.encode()):
            raise not_found()
        _must_be_open(locked)
        if locked.seat_of(account):
            raise Refusal("conflict", Phrase(gettext_noop("You sit at this table already.")))
        _must_get_along(locked, account)
        game_caps.check_joining(account, now)
        _seat(locked, account, via, seed=seed)
        _begin_if_full(locked)
    return locked.game


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
    """Return whether a seat's player is there, and not kept apart from who wants to play again."""
    return bool(seat.account and seat.account.is_active and not any_blocked(account.pk, [seat.account.pk]))


def _create_rematch(old: LockedGame, account: Account, changed: Mapping[str, Any], via: str) -> Game:
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
        terms=old.game.terms,
        private=old.game.private,
        created_at=old.now,
    )
    outcome = old.rules.outcome(old.state)
    if FILLED_IN in game.options and outcome is not None:
        game.options[FILLED_IN] = list(outcome.winners)
    with _created(game, via, old.now) as locked:
        names = iter(bot_names((person.name for person in people.values()), game.bot_count))
        for seat in sorted(old.seats):
            person = people.get(seat)
            _seat(locked, person, via, "" if person else next(names))
        _deal(locked)
    return locked.game


def leave(game: uuid.UUID, account: Account, via: str, now: datetime) -> Game:
    """Get up before the game begins. The host's part goes to the next; a game nobody sits at is cancelled."""
    with _held(game, now) as locked:
        seat = _must_sit(locked, account)
        _must_be_open(locked)
        _get_up(locked, seat, via)
        first = locked.seats.get(SeatNumber(1))
        locked.game.host = first.account if first else None
        if first is None:
            locked.game.state = Game.State.CANCELLED
            locked.game.ended_at = now
            locked.tell(GameCancelled())
    return locked.game


def start(game: uuid.UUID, account: Account, now: datetime) -> Game:
    """Begin with those who sit here and the bots, as the host may once they are enough."""
    with _held(game, now) as locked:
        _must_sit(locked, account)
        if locked.game.host_id != account.pk:
            raise Refusal("forbidden", Phrase(gettext_noop("Only the host may begin the game.")))
        _must_be_open(locked)
        least = min(locked.rules.players)
        if len(locked.seats) + locked.game.bot_count < least:
            sentence = gettext_noop("This game needs at least %(least)s players.")
            raise Refusal("conflict", Phrase(sentence, {"least": least}))
        _begin(locked)
    return locked.game


@contextmanager
def _held(game: uuid.UUID, now: datetime) -> Iterator[LockedGame]:
    with held(game, now) as locked:
        if locked is None:
            raise not_found()
        yield locked


def _must_be_open(locked: LockedGame) -> None:
    if locked.game.state != Game.State.OPEN:
        raise Refusal("conflict", Phrase(gettext_noop("This game is not open any more.")))


def _must_get_along(locked: LockedGame, account: Account) -> None:
    """Keep those apart at public tables who are so by somebody's wish; whose it is, and about whom, is not said.

    Whoever has the code of a private table was given it by somebody there.
    """
    seated = [seat.account_id for seat in locked.seats.values() if seat.account_id]
    if not locked.game.private and any_blocked(account.pk, seated):
        raise Refusal("forbidden", Phrase(gettext_noop("This table is not for you: please choose another.")))


def _must_sit(locked: LockedGame, account: Account) -> SeatNumber:
    if seat := locked.seat_of(account):
        return seat
    raise not_seated(private=locked.game.private)


def _seat(locked: LockedGame, account: Account | None, via: str, name: str = "", seed: str = "") -> None:
    """Put a person, or a bot of this name, on the next seat."""
    seat = SeatNumber(len(locked.seats) + 1)
    bot = account is None
    seed = "" if bot else seed or new_seed().hex()
    seat_row = Seat(game=locked.game, number=seat, account=account, bot=bot, name=name, seed=seed)
    seat_row.save(force_insert=True)
    locked.seats[seat] = seat_row
    locked.tell(Joined(seat=seat, bot=bot, seed=seed), via, seat)


def _get_up(locked: LockedGame, seat: SeatNumber, via: str) -> None:
    """Free a seat; those behind it move up."""
    locked.seats.pop(seat).delete()
    for behind in sorted(each for each in locked.seats if each > seat):
        seat_row = locked.seats.pop(behind)
        seat_row.number = behind - 1
        seat_row.save(update_fields=["number"])
        locked.seats[SeatNumber(seat_row.number)] = seat_row
    locked.tell(Left(seat=seat), via, seat)


def _begin_if_full(locked: LockedGame) -> None:
    if len(locked.seats) + locked.game.bot_count == locked.game.seat_count:
        _begin(locked)


def _begin(locked: LockedGame) -> None:
    """Seat the bots, deal, and ask the first question."""
    for name in bot_names(locked.names().values(), locked.game.bot_count):
        _seat(locked, None, SERVER, name)
    _deal(locked)


def _deal(locked: LockedGame) -> None:
    """Begin with those who sit here."""
    game = locked.game
    game.seat_count = len(locked.seats)
    game.state = Game.State.RUNNING
    game.started_at = locked.now
    locked.tell(Started(seat_count=game.seat_count))
    chance = locked.chance()
    try:
        options = msgspec.convert(game.options, locked.rules.option_type)
        events = locked.rules.setup(options, game.seat_count, chance)
    except RuleViolation as violation:
        raise Refusal("conflict", violation.phrase) from violation
    locked.happen(events, chance)


def bot_names(taken: Iterable[str], count: int) -> list[str]:
    """Return so many names for bots, none of them like a player's."""
    folded = {fold(name) for name in taken}
    return [name for name in BOT_NAMES if fold(name) not in folded][:count]
