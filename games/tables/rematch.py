"""The offer of a rematch: its answers, and the game of the players who have accepted.

A player of a finished game offers it to all others, who accept or decline. The game starts when all of them have
answered, or when the time of the offer is over, with those who have accepted. A finished game has one offer, so a
player cannot be asked again and again.

Blocks play no part: every player gets the same offer and sees the same answers, so that nothing reveals a block. An
account that has blocked another one sees its name on the offer, and can decline. Only the email of an offer is not sent
to an account that has blocked the player who offers.
"""

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Literal

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Account
from config.core.logs import describe_error
from games.announcements import rematch_emails
from games.clubs import add_to_club, lock_club_of_rematch
from games.engine import Phrase, SeatNumber, gettext_noop
from games.engine.validation import FILLED_IN, STARTER
from games.event_log import log_store
from games.models import Bot, Game, RematchAnswer, RematchOffer, Seat
from games.play import game_caps
from games.play.locked_game import SERVER
from games.play.resolve import BATCH, playable
from games.refusals import Refusal
from games.tables.new_game import (
    NOT_SEEDED,
    Seeding,
    bot_names,
    check_address,
    check_seeding,
    chosen_options,
    seat_bot,
    take_seat,
)
from games.tables.starting import created, deal_protected, new_row
from games.visibility.access import access_to_game
from notifications.endpoints import Kind
from notifications.stream_events import NewStreamEvent, emit

logger = logging.getLogger(__name__)

SHORTEST: Final = timedelta(minutes=10)
LONGEST: Final = timedelta(days=1)
RETRY: Final = timedelta(minutes=5)
"""The pause before another attempt to close an offer after an error."""


@dataclass(frozen=True)
class Rematch:
    """The offer of a rematch, as the players of the finished game see it."""

    game: Game
    """The finished game, with its seats."""
    offer: RematchOffer

    @property
    def state(self) -> Literal["offered", "started", "lapsed"]:
        if self.offer.open:
            return "offered"
        return "started" if self.game.rematch_id else "lapsed"

    @property
    def is_withdrawn(self) -> bool:
        """True if the player who offered the rematch does not take part any more."""
        return self.answers.get(SeatNumber(self.offer.seat)) is False

    @cached_property
    def answers(self) -> Mapping[SeatNumber, bool | None]:
        """The answers of the players by seat: True for a yes, and None for a player who has not answered."""
        answers = {answer.seat: answer.accepted for answer in self.offer.answers.all()}
        return {seat: answers.get(seat) for seat in people_of(self.game)}


def people_of(game: Game) -> dict[SeatNumber, Account]:
    """Return the players of a finished game who can take part in a rematch: those whose account is open."""
    seats = game.seats.all()
    return {SeatNumber(seat.number): seat.account for seat in seats if seat.account and seat.account.is_active}


def rematch_of(game: Game) -> Rematch | None:
    """Return the offer of a rematch of a game. Only players of the game may see it."""
    offer = RematchOffer.objects.prefetch_related("answers").filter(game=game).first()
    return None if offer is None else Rematch(game, offer)


def open_offers(account: Account) -> list[Rematch]:
    """Return the open offers that an account has not answered, the newest first."""
    answers = RematchAnswer.objects.filter(offer__game=OuterRef("game"), seat=OuterRef("number"))
    seats = Seat.objects.filter(playable(), ~Exists(answers), account=account, game__rematch_offer__open=True)
    seats = seats.select_related("game__rematch_offer").order_by("-game__rematch_offer__created_at")
    return [Rematch(seat.game, seat.game.rematch_offer) for seat in seats]


def get_rematch(game: uuid.UUID, account: Account) -> Rematch:
    """Return the offer of a rematch for a player. Raises a Refusal if there is none, or the account did not play."""
    rematch = rematch_of(_finished_game(game, account)[0])
    if rematch is None:
        raise Refusal("not-found", Phrase(gettext_noop("Nobody has offered a rematch of this game.")))
    return rematch


def accept_rematch(
    game: uuid.UUID,
    account: Account,
    changed: Mapping[str, Any],
    via: str,
    now: datetime,
    seeding: Seeding = NOT_SEEDED,
) -> Rematch:
    """Offer a rematch to all players of a finished game, or accept the offer of another player.

    ``changed`` are options that differ from the game before. Raises Refusal(conflict) for options other than those of
    an offer, and if the offer is over. Accepting again has no effect.
    """
    check_seeding(seeding)
    with transaction.atomic():
        finished, seat = _finished_game(game, account)
        if len(people_of(finished)) > 1:
            check_address(account)
        chosen_options(log_store.rules_of(finished), _choices(finished, changed), finished.seat_count)
        offer = _locked_offer(finished) or _create_offer(finished, seat, account, changed, now)
        answer = offer.answers.filter(seat=seat).first()
        if answer is not None and answer.accepted:
            return get_rematch(game, account)
        _check_open(offer)
        if changed and dict(changed) != offer.options:
            sentence = gettext_noop("The rematch was offered with other options. Accept it as it is, or decline it.")
            raise Refusal("conflict", Phrase(sentence), "options")
        if answer is not None or offer.seat != seat:
            game_caps.count_join(account, now)
        _answer(offer, finished, seat, via, now, seeding)
    return get_rematch(game, account)


def decline_rematch(game: uuid.UUID, account: Account, via: str, now: datetime) -> None:
    """Decline a rematch, or withdraw a yes before the game starts. Raises Refusal(conflict) if the offer is over."""
    with transaction.atomic():
        finished, seat = _finished_game(game, account)
        offer = _locked_offer(finished)
        if offer is None:
            raise Refusal("conflict", Phrase(gettext_noop("Nobody has offered a rematch of this game.")))
        if not offer.answers.filter(seat=seat, accepted=False).exists():
            _check_open(offer)
            _answer(offer, finished, seat, via, now, None)


def _finished_game(game: uuid.UUID, account: Account) -> tuple[Game, SeatNumber]:
    access = access_to_game(account, game)
    seat = access.require_seat()
    if access.game.state != Game.State.OVER:
        raise Refusal("conflict", Phrase(gettext_noop("This game isn’t over yet.")))
    if access.game.arena:
        raise Refusal("forbidden", Phrase(gettext_noop("Games of the arena have no rematch.")))
    return access.game, seat


def _locked_offer(game: Game) -> RematchOffer | None:
    # The row of the finished game stays unlocked. First the accounts of all players are locked, because each of them
    # may get a seat. Then follow the offer, a club, and the new game.
    game_caps.lock_accounts(people_of(game).values())
    return RematchOffer.objects.select_for_update().filter(game=game).first()


def _check_open(offer: RematchOffer) -> None:
    if not offer.open:
        sentence = gettext_noop("The rematch offer has ended. Create a new game, and invite the others.")
        raise Refusal("conflict", Phrase(sentence))


def _create_offer(
    game: Game, seat: SeatNumber, account: Account, changed: Mapping[str, Any], now: datetime
) -> RematchOffer:
    """Offer a rematch to the other players, and notify them."""
    people = people_of(game)
    seats = sorted({*people, *_bots_of(game)})
    if len(seats) < min(log_store.rules_of(game).players):
        sentence = gettext_noop("Not enough players of this game are still here for a rematch.")
        raise Refusal("conflict", Phrase(sentence))
    _options(game, changed, seats)
    game_caps.count_new_game(account, now, open=False)
    length = min(max(game.terms.turn_limit, SHORTEST), LONGEST)
    fields = {"seat": seat, "options": dict(changed), "created_at": now, "until": now + length}
    offer = RematchOffer.objects.create(game=game, **fields)
    rematch_emails.order_offers(offer, [other for other in people.values() if other != account], now)
    return offer


def _bots_of(game: Game) -> dict[SeatNumber, Bot]:
    return {SeatNumber(seat.number): Bot(seat.level, seat.style) for seat in game.seats.all() if seat.bot}


def _choices(game: Game, changed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in game.options.items() if name != FILLED_IN} | dict(changed)


def _options(game: Game, changed: Mapping[str, Any], seats: Sequence[SeatNumber]) -> Any:
    """Return the options of a rematch for the players of these seats of the finished game.

    A player who starts has another seat if a player before them is missing. If they are missing themselves, the option
    has its default. Raises Refusal(malformed) if the rematch cannot be played with the options.
    """
    choices = _choices(game, changed)
    if isinstance(starter := choices.get(STARTER), int):
        del choices[STARTER]
        if starter in seats:
            choices[STARTER] = seats.index(SeatNumber(starter)) + 1
    return chosen_options(log_store.rules_of(game), choices, len(seats))


def _answer(
    offer: RematchOffer, game: Game, seat: SeatNumber, via: str, now: datetime, seeding: Seeding | None
) -> None:
    """Store an answer, which is a yes with a ``seeding``, and start the game if all players have answered."""
    fields: dict[str, Any] = {"accepted": seeding is not None, "seed": "", "seed_commitment": ""}
    if seeding is not None:
        fields |= {"seed": seeding.seed, "seed_commitment": seeding.commitment}
    RematchAnswer.objects.update_or_create(offer=offer, seat=seat, defaults=fields)
    rematch_emails.close_offers(offer, [people_of(game)[seat]], now)
    rematch = Rematch(game, offer)
    if None not in rematch.answers.values():
        _close(rematch, via, now)
    _emit(game, now)


def _emit(game: Game, now: datetime) -> None:
    data = {"game": str(game.pk), "state": str(game.state)}
    emit([NewStreamEvent(account.pk, Kind.GAME, data) for account in people_of(game).values()], now)


def _close(rematch: Rematch, via: str, now: datetime) -> None:
    """Start the game with the players who have accepted, except those who play in as many games as they may.

    Notify the players who have accepted and get no game.
    """
    game, offer = rematch.game, rematch.offer
    offer.open = False
    offer.save(update_fields=["open"])
    rematch_emails.close_offers(offer, people_of(game).values(), now)
    accepted = {seat: account for seat, account in people_of(game).items() if rematch.answers[seat]}
    at_limit = game_caps.accounts_at_limit([account.pk for account in accepted.values()])
    people = {seat: account for seat, account in accepted.items() if account.pk not in at_limit}
    options = None
    if len(people) >= max(1, min(2, len(rematch.answers))):
        with suppress(Refusal):  # The options may not fit so few players.
            options = _options(game, offer.options, sorted({*people, *_bots_of(game)}))
    if options is not None:
        game.rematch = _start(rematch, people, options, via, now)
        game.save(update_fields=["rematch"])
    for seat, account in accepted.items():
        if options is None or account.pk in at_limit:
            rematch_emails.notify_missed(game, account, seat, now, at_limit=account.pk in at_limit)


def _start(rematch: Rematch, people: Mapping[SeatNumber, Account], options: Any, via: str, now: datetime) -> Game:
    """Create the game with its players in the order of their seats before, and deal or wait for promised seeds."""
    finished, offer = rematch.game, rematch.offer
    host = people.get(SeatNumber(offer.seat)) or next(iter(people.values()))
    bots = _bots_of(finished)
    seats = sorted({*people, *bots})
    game = new_row(
        log_store.rules_of(finished),
        host,
        options=msgspec.to_builtins(options),
        seat_count=len(seats),
        bot_count=len(bots),
        chosen_bots=[asdict(bots[seat]) for seat in sorted(bots)],
        terms=finished.terms,
        spectator_delay=finished.spectator_delay,
        private=finished.private,
        club=lock_club_of_rematch(host, finished.pk),
        created_at=now,
    )
    if FILLED_IN in game.options:
        game.options[FILLED_IN] = [seats.index(seat) + 1 for seat in _winners(finished) if seat in seats]
    answers = {answer.seat: answer for answer in offer.answers.all()}
    with created(game, via, now) as locked:
        names = iter(bot_names(people.values(), (person.name for person in people.values()), len(bots)))
        for seat in seats:
            if seat in people:
                take_seat(locked, people[seat], via, Seeding(answers[seat].seed, answers[seat].seed_commitment))
            else:
                seat_bot(locked, next(names), bots[seat], via)
        deal_protected(locked)
        add_to_club(locked.game, now)
    return locked.game


def _winners(game: Game) -> Iterable[SeatNumber]:
    outcome = log_store.rules_of(game).outcome(log_store.position(game).state)
    return () if outcome is None else outcome.winners


def waiting(now: datetime) -> Iterable[QuerySet[RematchOffer]]:
    """Return the offers whose time is over."""
    return [_due(now)]


def sweep(now: datetime) -> None:
    """Start the games whose offer is over, with the players who have accepted."""
    for game in list(_due(now).values_list("game", flat=True)[:BATCH]):
        try:
            _close_due(game, now)
        except Exception as error:
            logger.error("the offer of a rematch could not be closed: %s", describe_error(error))
            RematchOffer.objects.filter(game=game).update(until=now + RETRY)


def _due(now: datetime) -> QuerySet[RematchOffer]:
    return RematchOffer.objects.filter(playable(), open=True, until__lte=now).order_by("until", "pk")


@transaction.atomic
def _close_due(game_id: uuid.UUID, now: datetime) -> None:
    game = Game.objects.prefetch_related("seats__account").get(pk=game_id)
    offer = _locked_offer(game)
    if offer is not None and offer.open:
        _close(Rematch(game, offer), SERVER, now)
        _emit(game, now)
