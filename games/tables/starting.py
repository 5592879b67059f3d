"""The creation of games, and their start: promised seeds, the public beacon, and the deal.

When the last seat is taken, the list of the deal is fixed and its head published (``games.engine.chain``). After that
no player can join, leave, or choose a seed. Then the players reveal their seeds and name that head. Only then is the
beacon's round fixed, one that is published half a minute later. So a player who holds back a seed cannot know yet what
the beacon changes. The round is in a second head, which players can keep before the beacon's number is known.
"""

import json
import logging
import uuid
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Account
from games.announcements import table_emails
from games.clubs import add_to_club, lock_club_of_new_game
from games.engine import AnyRules, Phrase, chain, gettext_noop
from games.engine.chain import deal_head
from games.event_log.table import seconds_of
from games.event_log.table_events import (
    BeaconAwaited,
    BeaconPublished,
    DealListed,
    GameCancelled,
    GameCreated,
    SeedMissing,
    SeedRevealed,
    SeedsAwaited,
)
from games.models import Game, commitment_of
from games.play import game_caps, plans
from games.play.locked_game import SERVER, LockedGame, lock_game
from games.play.resolve import BATCH, each_game, playable
from games.refusals import Refusal
from games.tables.new_game import (
    NewGame,
    Seeding,
    bot_names,
    check_address,
    check_bots,
    check_delay,
    check_open,
    check_seed,
    check_seeding,
    check_terms,
    chosen_options,
    deal,
    held_game,
    rules_named,
    seat_bot,
    take_seat,
)
from notifications.outgoing import OutgoingRequest, Unreachable, send


def create_game(host: Account, new_game: NewGame, via: str, now: datetime) -> Game:
    """Create a game with its host on seat 1. It starts immediately if all other seats are for bots.

    The seed of the game is created here, and bound by a commitment that is public from now on. Raises
    Refusal(malformed) for an invalid choice, Refusal(forbidden) if other people can join and the host has no confirmed
    address, and Refusal(limit-reached) or Refusal(rate-limited) for too many games.
    """
    rules = rules_named(new_game.rules)
    options = chosen_options(rules, new_game.options, new_game.seat_count)
    check_bots(new_game)
    seeding = Seeding(new_game.seed, new_game.seed_commitment)
    check_seeding(seeding)
    check_terms(new_game.terms)
    check_delay(new_game.spectator_delay)
    is_for_people = len(new_game.bots) + 1 < new_game.seat_count
    if is_for_people:
        check_address(host)
    with game_caps.lock_account(host):
        club = lock_club_of_new_game(host, new_game.club)
        game = new_row(
            rules,
            host,
            options=msgspec.to_builtins(options),
            seat_count=new_game.seat_count,
            bot_count=len(new_game.bots),
            chosen_bots=[asdict(bot) for bot in new_game.bots],
            terms=new_game.terms,
            private=new_game.private or club is not None,
            club=club,
            spectator_delay=new_game.spectator_delay,
            created_at=now,
        )
        game_caps.count_new_game(host, now, open=is_for_people)
        with created(game, via, now) as locked:
            take_seat(locked, host, via, seeding=seeding)
            start_if_full(locked)
            add_to_club(locked.game, now)
    return locked.game


def new_row(rules: AnyRules, host: Account | None, **fields: Any) -> Game:
    """Return a new game that is not stored yet, with a commitment to its seed. Games of tournaments have no host."""
    game = Game(rules=rules.name, rules_version=rules.version, host=host, **fields)
    game.commitment = commitment_of(game.id, bytes(game.seed))
    return game


@contextmanager
def created(game: Game, via: str, now: datetime) -> Iterator[LockedGame]:
    """Store a new game without players, and lock it."""
    with transaction.atomic():
        game.save(force_insert=True)
        with held_game(game.id, now) as locked:
            created = GameCreated(
                rules=game.rules,
                version=game.rules_version,
                seat_count=game.seat_count,
                bot_count=game.bot_count,
                commitment=game.commitment,
                terms=game.terms,
                private=game.private,
                spectator_delay=seconds_of(game.spectator_delay),
                arena=game.arena,
            )
            locked.add_table_event(created, via)
            yield locked


logger = logging.getLogger(__name__)

PATIENCE: Final = timedelta(days=1)
"""The maximum time to wait for the seeds, and then for the beacon."""
RETRY: Final = timedelta(seconds=30)
"""The pause before the next request to a beacon that did not answer."""
ON_ITS_WAY: Final = timedelta(seconds=1)
"""The pause between the publication of a round and the request for it."""


def start_if_full(locked: LockedGame) -> None:
    """Start a game if all its seats are taken."""
    if len(locked.seats) + locked.game.bot_count == locked.game.seat_count:
        close_table(locked)


def close_table(locked: LockedGame) -> None:
    """Seat the bots, and begin the deal. No player can join after that."""
    people = [seat.account for seat in locked.seats.values() if seat.account]
    names = bot_names(people, locked.names().values(), locked.game.bot_count)
    for name, bot in zip(names, locked.game.bots, strict=True):
        seat_bot(locked, name, bot, SERVER)
    deal_protected(locked)


def deal_protected(locked: LockedGame) -> None:
    """Deal, or fix the list of the deal and wait for the seeds and the beacon. A beacon protects only games of two or
    more people, because bots choose no cards.
    """
    people = [seat for seat in locked.seats.values() if seat.account_id]
    key = beacon_key() if settings.BEACON_URL and len(people) > 1 else ""
    is_promised = any(seat.seed_commitment for seat in people)
    if not key and not is_promised:
        _begin(locked)
        return
    # The event holds the digest of the list, and folding the event fixes who is in it.
    listed = msgspec.structs.replace(locked.table, listed_players=locked.table.players, beacon_key=key)
    locked.game.state = Game.State.STARTING
    locked.add_table_event(
        DealListed(key=key, head=deal_head(listed.deal_list(str(locked.game.pk), locked.game.commitment)))
    )
    _keep_list(locked)
    if is_promised:
        locked.game.start_check_at = locked.now + PATIENCE
        locked.add_table_event(SeedsAwaited(until=locked.now + PATIENCE))
        table_emails.reveal(locked.game, locked.seats.values(), locked.position.version, locked.now)
    else:
        _await_beacon(locked)


def _keep_list(locked: LockedGame) -> None:
    locked.game.deal_list = locked.table.deal_list(str(locked.game.pk), locked.game.commitment)


def reveal_seed(
    game: uuid.UUID,
    account: Account,
    seed: str,
    head: str,
    via: str,
    now: datetime,
) -> Game:
    """Reveal the seed to which this player committed. Revealing the same seed again has no effect.

    ``head`` is the head of the list of the deal that the player has checked and kept. Raises Refusal(malformed) for
    another seed, and Refusal(conflict) if there is no seed to reveal, the time is wrong, or the player has seen
    another list.
    """
    check_seed(seed)
    with held_game(game, now) as locked:
        seat = locked.require_seat(account)
        seat_row = locked.seats[seat]
        if not seat_row.seed_commitment:
            raise Refusal("conflict", Phrase(gettext_noop("You haven’t committed to a seed in this game.")))
        if chain.seed_commitment(seed) != seat_row.seed_commitment:
            sentence = gettext_noop("This isn’t the seed that you committed to when you joined.")
            raise Refusal("malformed", Phrase(sentence), "seed")
        if seat_row.seed == seed:
            return locked.game
        if locked.game.state != Game.State.STARTING or locked.game.beacon_round is not None:
            raise Refusal("conflict", Phrase(gettext_noop("This game isn’t waiting for seeds.")))
        if head != locked.game.deal_head:
            sentence = gettext_noop(
                "The list of the deal that you saw isn’t the one that was fixed. Don’t reveal your seed: keep it "
                "secret, and tell the other players."
            )
            raise Refusal("conflict", Phrase(sentence), "head")
        seat_row.seed = seed
        seat_row.save(update_fields=["seed"])
        locked.add_table_event(SeedRevealed(seat=seat, seed=seed), via, seat)
        if not _unrevealed(locked):
            _go_on_after_seeds(locked)
    return locked.game


def waiting(now: datetime) -> Iterable[QuerySet[Game]]:
    """Return the games whose start has to be checked."""
    return [_due(now)]


def sweep(now: datetime) -> None:
    """Continue the start of games whose time for seeds is over, or whose round is published."""

    def find(passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
        return list(_due(now).exclude(pk__any=passed).values_list("pk", flat=True)[:BATCH])

    each_game(find, lambda game: _go_on(game, now))


def _due(now: datetime) -> QuerySet[Game]:
    starting = Game.objects.filter(playable(""), state=Game.State.STARTING, start_check_at__lte=now)
    return starting.order_by("start_check_at", "id")


def _go_on(game: uuid.UUID, now: datetime) -> bool:
    """Return False if another transaction has locked the game."""
    round = Game.objects.values_list("beacon_round", flat=True).get(pk=game)
    signature = None if round is None else fetch_signature(round)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None:
            return False
        if locked.game.state != Game.State.STARTING or locked.game.beacon_round != round:
            return True
        if round is None:
            _go_on_after_seeds(locked)
        elif signature is not None:
            locked.add_table_event(BeaconPublished(round=round, signature=signature))
            _begin(locked)
        elif _is_late(locked):
            _go_on_unprotected(locked)
        else:
            # no event tells of it, so the row is not stored with a log
            Game.objects.filter(pk=game).update(start_check_at=now + RETRY)
    return True


def _is_late(locked: LockedGame) -> bool:
    assert locked.game.beacon_round is not None
    return locked.now >= published_at(locked.game.beacon_round) + PATIENCE


def _go_on_after_seeds(locked: LockedGame) -> None:
    """Continue once every seed is revealed, or the time to reveal is over.

    Missing seeds are recorded, and the game continues as its host chose for this case. That includes the seeds of
    players who left the server. Otherwise a player could see the other seeds first and then leave.
    """
    missing = [seat for seat, row in locked.seats.items() if row.seed_commitment and not row.seed]
    for seat in missing:
        locked.add_table_event(SeedMissing(seat=seat))
    if missing and locked.game.terms.unprotected == "cancel":
        _cancel(locked)
    elif locked.table.beacon_key:
        _await_beacon(locked)
    else:
        _begin(locked)


def _go_on_unprotected(locked: LockedGame) -> None:
    """Deal or cancel, as the terms say, because no source had the round."""
    locked.game.beacon_round = None
    if locked.game.terms.unprotected == "cancel":
        _cancel(locked)
    else:
        _begin(locked)


def published_at(round: int) -> datetime:
    """Return the time at which a round of the beacon is published."""
    return datetime.fromtimestamp(chain.published_at(round), UTC)


def _await_beacon(locked: LockedGame) -> None:
    """Fix the round of the chain, and publish the head of the list with the round in it."""
    round = chain.round_for(locked.now.timestamp())
    locked.game.beacon_round = round
    locked.game.start_check_at = published_at(round) + ON_ITS_WAY
    key = locked.table.beacon_key
    listed = msgspec.structs.replace(locked.table, beacon_round=round)
    head = deal_head(listed.deal_list(str(locked.game.pk), locked.game.commitment))
    locked.add_table_event(BeaconAwaited(round=round, key=key, head=head))
    _keep_list(locked)
    table_emails.awaits_beacon(locked.game, locked.seats.values(), locked.position.version, locked.now)


def _unrevealed(locked: LockedGame) -> bool:
    return any(seat.account_id and seat.seed_commitment and not seat.seed for seat in locked.seats.values())


def _begin(locked: LockedGame) -> None:
    locked.game.start_check_at = None
    deal(locked)
    plans.add_usual_plans(locked, locked.seats)


def _cancel(locked: LockedGame) -> None:
    locked.game.state = Game.State.CANCELLED
    locked.game.start_check_at = None
    locked.game.ended_at = locked.now
    locked.add_table_event(GameCancelled())
    table_emails.cancelled(locked.game, locked.seats.values(), locked.position.version, locked.now)


def beacon_key() -> str:
    """Return the public key of the beacon that this server uses, in hexadecimal."""
    return str(settings.BEACON_KEY) or chain.QUICKNET


def fetch_signature(round: int) -> str | None:
    """Return the signature of a round in hexadecimal, or None if no source has a valid one.

    All sources are asked and compared. A source cannot forge one: only one signature fits a round and the key.
    """
    signatures = {source: _fetch(f"{source}/public/{round}") for source in settings.BEACON_URL}
    valid = next((text for text in signatures.values() if chain.is_signed(round, text, beacon_key())), None)
    for source, signature in signatures.items():
        if signature != valid:
            logger.warning("the beacon %s has not given the signature of round %s", source, round)
    return valid


def _fetch(url: str) -> str:
    """Return the signature from a source, or a blank text if its answer is invalid."""
    try:
        answer = send(OutgoingRequest(url, b"", {"Accept": "application/json"}, method="GET"))
        document = json.loads(answer.body) if answer.is_accepted else None
    except (Unreachable, ValueError):
        return ""
    signature = document.get("signature") if isinstance(document, dict) else None
    return signature.lower() if isinstance(signature, str) else ""


def start_game(game: uuid.UUID, account: Account, now: datetime) -> Game:
    """Start a game with its players and bots, as its host."""
    with held_game(game, now) as locked:
        locked.require_seat(account)
        if locked.game.host_id != account.pk:
            raise Refusal("forbidden", Phrase(gettext_noop("Only the host can start the game.")))
        check_open(locked)
        least = min(locked.rules.players)
        if len(locked.seats) + locked.game.bot_count < least:
            sentence = gettext_noop("This game needs at least %(least)s players.")
            raise Refusal("conflict", Phrase(sentence, {"least": least}))
        close_table(locked)
    return locked.game
