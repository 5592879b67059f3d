"""From the last seat to the deal: revealed seeds, the public chain, and what becomes of attempts to choose cards."""

import json
import runpy
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client

from accounts.models import Account
from games.announcements.notify import write_due
from games.archive import game_audit, records
from games.engine import SeededChance, chain
from games.engine.record import dump, load, undecided
from games.event_log import log_store
from games.event_log.table_events import BeaconAwaited, BeaconPublished, SeedMissing, SeedRevealed
from games.models import Bot, Game
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables import starting
from games.tables.joining import join_game, leave_game, vacate
from games.tables.new_game import NewGame, Seeding
from games.tables.rematch import accept_rematch, decline_rematch
from games.tables.starting import PATIENCE, create_game, reveal_seed
from games.terms import GameTerms
from games.visibility.player_view import PlayerView
from games.visibility.words import awaited_for_deal, deal_protection
from notifications.endpoints import StreamEvent
from notifications.models import Notification
from tests.cast import signed_in
from tests.games.finished import begun, elsewhere, play_again, play_out
from tests.games.seated import hear
from tests.games.tables.beacon import KEY, Beacon, serve_beacon, sign
from tests.long import LONG, SCALE
from tests.third_game.table import NOON, fresh

SEED: Final = "5e" * 32
OTHER: Final = "07" * 32
SOON: Final = timedelta(seconds=10)
BEACON_CAME: Final = timedelta(seconds=chain.LEAD) + SOON
ROUND_1000: Final = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
"""drand's published signature of round 1000 of quicknet."""
COUP: Final = RULES["coup"]
TRIES: Final = 1_000_000 if LONG else 1_000
UNPROVEN: Final = 3
verify: dict[str, Any] = runpy.run_path(
    str(Path(__file__).parents[3] / "games/static/games/verify.py"), run_name="verify"
)


def committed(seed: str = SEED) -> Seeding:
    return Seeding(commitment=chain.seed_commitment(seed))


def opened(host: Account, seats: int = 2, seed_commitment: str = "", bots: int = 0, **terms: Any) -> Game:
    new_game = NewGame(rules="coup", seat_count=seats, bots=(Bot(),) * bots, seed_commitment=seed_commitment, **terms)
    return create_game(host, new_game, "api", NOON)


def kinds(game: Game) -> list[str]:
    """The types of its table events, in order."""
    types = [line.event.__struct_config__.tag for line in log_store.read(game)]
    return [type_ for type_ in types if type_.startswith("table.")]


def refused(code: str, *arguments: Any) -> Refusal:
    with pytest.raises(Refusal) as error:
        reveal_seed(*arguments)
    assert error.value.code == code
    return error.value


@pytest.fixture
def served(settings: Any) -> Iterator[Beacon]:
    with serve_beacon() as served:
        settings.OUTGOING_LOOPBACK, settings.BEACON_KEY = True, KEY
        settings.BEACON_URL = (served.url,)
        yield served


def test_the_published_vector_of_the_beacon_is_taken_and_no_other() -> None:
    assert chain.is_signed(1000, ROUND_1000)
    assert not chain.is_signed(1001, ROUND_1000)
    assert not chain.is_signed(1000, ROUND_1000, KEY)
    assert not chain.is_signed(1000, "00" * 48)
    assert not chain.is_signed(1000, "no hexadecimal")
    assert chain.is_signed(1000, sign(1000), KEY)


def test_the_round_is_the_first_that_is_published_afterwards() -> None:
    for moment in (chain.FIRST_ROUND, chain.FIRST_ROUND + 0.001, chain.FIRST_ROUND + 3e8 + 2.999):
        assert moment < chain.published_at(chain.round_after(moment)) <= moment + chain.PERIOD


def test_a_full_game_waits_for_its_round_and_the_round_is_mixed_into_every_draw(
    served: Beacon, maryam: Account, bahareh: Account
) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON)
    assert game.state == Game.State.STARTING
    assert game.beacon_round == chain.round_for(NOON.timestamp())
    assert str(game.beacon_round) in awaited_for_deal(game)[0]
    starting.sweep(NOON)
    assert (fresh(game).state, served.asked) == (Game.State.STARTING, []), "it is not asked before its time"
    starting.sweep(NOON + BEACON_CAME)
    game = fresh(game)
    assert (game.state, served.asked) == (Game.State.RUNNING, [game.beacon_round])
    assert kinds(game)[-3:] == ["table.beacon-awaited", "table.beacon-published", "table.started"]
    first = next(line.draws[0] for line in log_store.read(game) if line.draws)
    seeds = [seat.seed for seat in game.seats.all()]
    published = chain.randomness(sign(game.beacon_round)).hex()
    seed = bytes(game.seed).hex()
    assert verify["draw"](seed, str(game.id), [*seeds, published], 0, first[0]) == first[1]
    assert "beacon" in deal_protection(game)
    assert list(game_audit.find_faults(game)) == []


def test_a_source_that_lies_is_passed_by_and_named_in_the_log(
    served: Beacon, settings: Any, maryam: Account, bahareh: Account, caplog: pytest.LogCaptureFixture
) -> None:
    with serve_beacon() as liar:
        liar.lies = True
        settings.BEACON_URL = (served.url, liar.url)
        game = join_game(opened(maryam).id, bahareh, "", "api", NOON)
        starting.sweep(NOON + BEACON_CAME)
    assert liar.asked == served.asked == [game.beacon_round]
    assert f"the beacon {liar.url} has not given" in caplog.text, "all sources are compared"
    assert served.url not in caplog.text
    assert fresh(game).state == Game.State.RUNNING


@pytest.mark.parametrize("unprotected", ["deal", "cancel"])
def test_where_the_beacon_is_out_of_reach_for_a_day_the_host_has_chosen_what_follows(
    served: Beacon, maryam: Account, bahareh: Account, unprotected: str
) -> None:
    served.answers = False
    game = join_game(opened(maryam, unprotected=unprotected).id, bahareh, "", "api", NOON)
    starting.sweep(NOON + BEACON_CAME)
    starting.sweep(NOON + BEACON_CAME)
    assert (fresh(game).state, len(served.asked)) == (Game.State.STARTING, 1), "it is asked again after a while only"
    starting.sweep(NOON + PATIENCE + BEACON_CAME)
    game = fresh(game)
    assert game.state == {"deal": Game.State.RUNNING, "cancel": Game.State.CANCELLED}[unprotected]
    assert "its operator could see or choose them" in deal_protection(game)
    assert not [line for line in log_store.read(game) if isinstance(line.event, BeaconPublished)]
    notifications = Notification.objects.filter(reason="cancelled").values_list("account__name", flat=True)
    assert set(notifications) == (set() if unprotected == "deal" else {maryam.name, bahareh.name})
    assert list(game_audit.find_faults(game)) == []


def test_a_game_against_bots_begins_at_once(served: Beacon, maryam: Account) -> None:
    assert opened(maryam, seats=3, bots=2).state == Game.State.RUNNING
    assert served.asked == []


def test_a_seed_is_committed_to_at_the_table_and_revealed_when_all_sit(maryam: Account, bahareh: Account) -> None:
    game = opened(maryam, seed_commitment=chain.seed_commitment(SEED))
    refused("conflict", game.id, maryam, SEED, "", "api", NOON)
    game = join_game(game.id, bahareh, "", "api", NOON)
    assert game.state == Game.State.STARTING
    assert awaited_for_deal(game)[0] == "The deal waits for the seed of 1 player."
    assert list(Notification.objects.filter(reason="reveal").values_list("account__name", flat=True)) == [maryam.name]
    refused("malformed", game.id, maryam, OTHER, game.deal_head, "api", NOON)
    refused("malformed", game.id, maryam, "", game.deal_head, "api", NOON)
    refused("conflict", game.id, bahareh, OTHER, game.deal_head, "api", NOON)
    game = reveal_seed(game.id, maryam, SEED, fresh(game).deal_head, "api", NOON)
    assert game.state == Game.State.RUNNING
    assert fresh(game).seats.get(number=1).seed == SEED
    assert reveal_seed(game.id, maryam, SEED, fresh(game).deal_head, "api", NOON).state == Game.State.RUNNING, (
        "once more changes nothing"
    )
    assert "players promise are mixed" in deal_protection(fresh(game))
    assert kinds(game)[-4:] == ["table.deal-listed", "table.seeds-awaited", "table.seed-revealed", "table.started"]
    assert list(game_audit.find_faults(fresh(game))) == []


def test_seeds_are_revealed_before_the_round_is_fixed_so_that_none_is_held_back_knowingly(
    served: Beacon, maryam: Account, bahareh: Account
) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON, committed())
    assert game.beacon_round is None
    starting.sweep(NOON + SOON)
    assert fresh(game).beacon_round is None
    game = reveal_seed(game.id, bahareh, SEED, fresh(game).deal_head, "api", NOON + 2 * SOON)
    assert game.beacon_round == chain.round_for((NOON + 2 * SOON).timestamp())
    starting.sweep(NOON + 2 * SOON + BEACON_CAME)
    assert fresh(game).state == Game.State.RUNNING


@pytest.mark.parametrize("unprotected", ["deal", "cancel"])
def test_who_does_not_reveal_within_a_day_is_shown_and_the_host_has_chosen_what_follows(
    maryam: Account, bahareh: Account, unprotected: str
) -> None:
    game = join_game(opened(maryam, unprotected=unprotected).id, bahareh, "", "api", NOON, committed())
    starting.sweep(NOON + PATIENCE - SOON)
    assert fresh(game).state == Game.State.STARTING
    starting.sweep(NOON + PATIENCE)
    game = fresh(game)
    assert game.state == {"deal": Game.State.RUNNING, "cancel": Game.State.CANCELLED}[unprotected]
    held_back = game.seats.get(number=2)
    assert (held_back.seed, held_back.seed_commitment) == ("", chain.seed_commitment(SEED))
    assert "didn’t reveal the seeds that they had promised: Bahareh" in deal_protection(game)
    assert [line.event.seat for line in log_store.read(game) if isinstance(line.event, SeedMissing)] == [2]
    assert list(game_audit.find_faults(game)) == []
    page = signed_in(maryam).get(f"/games/{game.pk}/").content.decode()
    assert "didn’t reveal the seeds that they had promised" in page
    contents = [str(notification.content()) for notification in Notification.objects.filter(reason="cancelled")]
    assert len(contents) == (0 if unprotected == "deal" else 2)
    assert all("Bahareh" in content for content in contents)


def test_seeds_follow_their_players_who_move_up(maryam: Account, bahareh: Account, dariush: Account) -> None:
    game = opened(maryam, seats=3)
    join_game(game.id, bahareh, "", "api", NOON, committed(OTHER))
    join_game(opened(maryam, seats=3).id, dariush, "", "api", NOON)
    leave_game(game.id, bahareh, "api", NOON)
    join_game(game.id, dariush, "", "api", NOON, committed())
    join_game(game.id, bahareh, "", "api", NOON)
    game = reveal_seed(game.id, dariush, SEED, fresh(game).deal_head, "api", NOON)
    assert game.state == Game.State.RUNNING
    assert list(game_audit.find_faults(fresh(game))) == []


def test_a_player_who_deletes_their_account_meanwhile_keeps_nobody_waiting(
    served: Beacon, maryam: Account, bahareh: Account
) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON)
    vacate(bahareh, NOON)
    starting.sweep(NOON + BEACON_CAME)
    game = fresh(game)
    assert game.state == Game.State.RUNNING
    assert game.seats.get(number=2).bot
    assert list(game_audit.find_faults(game)) == []


def test_a_rematch_waits_for_a_round_of_its_own(served: Beacon, maryam: Account, bahareh: Account) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON)
    starting.sweep(NOON + BEACON_CAME)
    again = play_again(play_out(fresh(game)), maryam, bahareh, at=NOON + timedelta(days=30))
    assert (again.state, again.beacon_round) == (
        Game.State.STARTING,
        chain.round_for((NOON + timedelta(days=30)).timestamp()),
    )


def test_whoever_accepts_a_rematch_promises_a_seed_for_it_and_the_promise_before_is_void(
    maryam: Account, bahareh: Account
) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON, committed())
    game = play_out(reveal_seed(game.id, bahareh, SEED, fresh(game).deal_head, "api", NOON))
    with pytest.raises(Refusal) as refused:
        accept_rematch(game.id, bahareh, {}, "api", NOON, Seeding(commitment="no digest"))
    assert (refused.value.code, refused.value.field) == ("malformed", "seed_commitment")
    accept_rematch(game.id, bahareh, {}, "api", NOON, committed(OTHER))
    assert fresh(game).rematch is None, "the list of the deal is fixed once the offer has closed"
    again = accept_rematch(game.id, maryam, {}, "api", NOON).game.rematch
    assert again is not None
    assert again.state == Game.State.STARTING
    assert [seat.seed_commitment for seat in again.seats.all()] == ["", chain.seed_commitment(OTHER)]
    again = reveal_seed(again.id, bahareh, OTHER, again.deal_head, "api", NOON)
    assert again.state == Game.State.RUNNING
    assert "players promise are mixed" in deal_protection(fresh(again))
    assert list(game_audit.find_faults(fresh(again))) == []


def test_the_list_of_the_deal_has_only_the_promises_of_those_who_accepted_in_time(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    over = play_out(begun([maryam, bahareh, sepideh]))
    accept_rematch(over.id, bahareh, {}, "api", NOON, committed(SEED))
    accept_rematch(over.id, sepideh, {}, "api", NOON, committed(OTHER))
    again = accept_rematch(over.id, maryam, {}, "api", NOON).game.rematch
    assert again is not None
    assert [seat.account for seat in again.seats.all()] == [maryam, bahareh, sepideh]
    other = play_out(begun([maryam, bahareh, sepideh]))
    accept_rematch(other.id, bahareh, {}, "api", NOON, committed(SEED))
    accept_rematch(other.id, sepideh, {}, "api", NOON, committed(OTHER))
    decline_rematch(other.id, bahareh, "api", NOON)
    accept_rematch(other.id, maryam, {}, "api", NOON)
    again = fresh(other).rematch
    assert again is not None
    assert [(seat.account, seat.seed_commitment) for seat in again.seats.all()] == [
        (maryam, ""),
        (sepideh, chain.seed_commitment(OTHER)),
    ]
    assert chain.seed_commitment(SEED) not in again.deal_list


def test_the_page_of_a_game_that_is_starting_shows_no_card(served: Beacon, maryam: Account, bahareh: Account) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON)
    assert PlayerView(game, game.seats.get(number=1).number, maryam, 1).state is None


def test_a_record_names_seeds_and_round_and_both_are_checked(
    served: Beacon, maryam: Account, bahareh: Account, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON, committed())
    reveal_seed(game.id, bahareh, SEED, fresh(game).deal_head, "api", NOON)
    starting.sweep(NOON + BEACON_CAME)
    text = dump(records.export_record(play_out(fresh(game))))
    assert list(undecided(COUP, load(text))) == []
    game = fresh(game)
    for planted, fault in (({"beacon_round": None}, "the round of the beacon"), ({"beacon_round": 7}, "the round")):
        Game.objects.filter(pk=game.pk).update(**planted)
        assert any(found_fault.startswith(fault) for found_fault in game_audit.find_faults(fresh(game))), planted
    game.seats.filter(number=2).update(seed_commitment="")
    assert "the seats that are taken are not those of the log" in list(game_audit.find_faults(fresh(game)))
    import_record = records.import_record(elsewhere(load(text)))
    assert (import_record.beacon_round, import_record.seats.get(number=2).seed) == (game.beacon_round, SEED)
    file = tmp_path / "record.json"
    file.write_bytes(text)
    record = json.loads(text)
    assert verify["main"]([str(file), "--deal-head", game.deal_head, "--head", record["head"]]) == UNPROVEN
    assert f"NOT CHECKED: the deal: the beacon is not drand's. You have to trust the owner of the key {KEY}" in (
        capsys.readouterr().out
    )
    for kind, member, value, fault in (
        ("table.beacon-published", "signature", sign(7), "the beacon did not sign round"),
        ("table.beacon-awaited", "round", 7, "is not the one that follows from the time"),
        ("table.beacon-published", "round", 7, "is not the one that was awaited"),
        ("table.seed-revealed", "seed", OTHER, "is not the one that its player committed to"),
    ):
        forged = json.loads(text)
        event = next(line["event"] for line in forged["events"] if line["event"]["type"] == kind)
        event[member] = value
        assert any(fault in found_fault for found_fault in verify["faults"](forged)), kind


def hands(seed: bytes, mixed: list[bytes]) -> tuple[Any, ...]:
    """The hands that a game of three is dealt."""
    chance = SeededChance(seed, "6f1f5f8e-0000-4000-8000-000000000000", mixed)
    events = COUP.setup(COUP.options(), 3, chance)
    return tuple(tuple(event.cards) for event in events if type(event).__name__ == "Dealt")


def grind(seed: bytes, other_seeds: list[bytes], tries: int) -> bytes:
    """Return own seeds that deal a pair of dukes to the player on the last seat, who knows ``seed``."""
    for number in range(tries):
        own_seed = number.to_bytes(32, "big")
        if hands(seed, [*other_seeds, own_seed])[-1] == ("duke", "duke"):
            return own_seed
    raise AssertionError("the attack itself does not work")


def test_whoever_knows_the_seed_and_sits_last_chooses_cards_only_where_nothing_protects_them() -> None:
    tries, games = 4_000 * SCALE, 60
    unprotected = promised = with_beacon = 0
    for number in range(games):
        seed, honest, published = (chain.nonce(b"trial", 3 * number + index) for index in range(3))
        open_seed = grind(seed, [honest], tries)
        unprotected += hands(seed, [honest, open_seed])[-1] == ("duke", "duke")
        blind = grind(seed, [], tries)  # the other's seed is promised, and not known yet
        promised += hands(seed, [honest, blind])[-1] == ("duke", "duke")
        with_beacon += hands(seed, [honest, open_seed, published])[-1] == ("duke", "duke")
    assert unprotected == games, "without protection the attack succeeds every time"
    assert promised <= games // 6, "one pair of dukes in 35 deals is luck"
    assert with_beacon <= games // 6


def test_players_who_choose_all_seeds_together_choose_no_cards_without_the_servers() -> None:
    games = 60
    won = 0
    for number in range(games):
        seed, guessed, other = (chain.nonce(b"coalition", 3 * number + index) for index in range(3))
        agreed = grind(guessed, [other], 4_000 * SCALE)
        won += hands(seed, [other, agreed])[-1] == ("duke", "duke")
    assert won <= games // 6, "one pair of dukes in 35 deals is luck"


def almost_full(maryam: Account, dariush: Account) -> Game:
    """A table for three at which the last seat is free."""
    return join_game(opened(maryam, seats=3).id, dariush, "", "api", NOON)


def last_hands(game: Game, mixed: Iterable[list[bytes]]) -> Iterator[tuple[int, Any]]:
    """Yield what the last player of three is dealt, for each of what may be mixed in after the seeds of the others."""
    seeds = [bytes.fromhex(seat.seed) for seat in game.seats.all()]
    for number, more in enumerate(mixed):
        chance = SeededChance(bytes(game.seed), str(game.id), [*seeds, *more])
        events = COUP.setup(COUP.options(**game.options), 3, chance)
        yield number, [tuple(event.cards) for event in events if type(event).__name__ == "Dealt"][-1]


def last_hand(game: Game) -> tuple[Any, ...]:
    """The hand with which the last player has begun."""
    events = [line.event for line in log_store.read(game)]
    return [tuple(event.cards) for event in events if type(event).__name__ == "Dealt"][-1]


def first_pair(numbered_hands: Iterable[tuple[int, Any]]) -> int:
    """The first number with which the last player is dealt two dukes."""
    return next(number for number, hand in numbered_hands if hand == ("duke", "duke"))


def test_an_operator_chooses_cards_by_the_seed_that_the_server_makes_and_the_record_says_whom_it_trusts(
    maryam: Account,
    bahareh: Account,
    dariush: Account,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = almost_full(maryam, dariush)
    seed_number = first_pair(last_hands(game, ([number.to_bytes(32, "big")] for number in range(4_000))))
    monkeypatch.setattr("games.tables.new_game.new_seed", lambda: seed_number.to_bytes(32, "big"))
    game = join_game(game.id, bahareh, "", "api", NOON)
    assert last_hand(game) == ("duke", "duke")
    record = records.export_record(play_out(fresh(game)))
    assert record.trust.startswith("This game trusts the operator of the server")
    file = tmp_path / "record.json"
    file.write_bytes(dump(record))
    assert verify["main"]([str(file), "--commitment", record.commitment, "--head", record.head]) == UNPROVEN
    assert "NOT CHECKED: the deal: no seed was promised and no beacon awaited" in capsys.readouterr().out


def test_an_operator_who_dates_the_last_seat_back_chooses_among_rounds_and_no_record_shows_it(
    served: Beacon, maryam: Account, bahareh: Account, dariush: Account, tmp_path: Path
) -> None:
    game = almost_full(maryam, dariush)
    first = chain.round_for(NOON.timestamp())
    published = (chain.randomness(sign(first + number)) for number in range(4_000))
    missed = first_pair(last_hands(game, ([bytes.fromhex(SEED), randomness] for randomness in published)))
    at = NOON + timedelta(seconds=chain.PERIOD * missed)
    game = join_game(game.id, bahareh, "", "api", at, Seeding(seed=SEED))
    starting.sweep(at + BEACON_CAME)
    assert last_hand(game) == ("duke", "duke")
    file = tmp_path / "record.json"
    file.write_bytes(dump(records.export_record(play_out(fresh(game)))))
    assert verify["main"]([str(file)]) == 3


def test_programs_are_told_of_the_round_before_it_is_published(
    served: Beacon, maryam: Account, bahareh: Account
) -> None:
    hear([maryam])
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON)
    event = StreamEvent.objects.get(account=maryam, kind="game", data__state="starting")
    assert game.beacon_round is not None
    assert event.at.timestamp() < chain.published_at(game.beacon_round)
    (line,) = [line for line in log_store.read(game) if isinstance(line.event, BeaconAwaited)]
    assert (line.event.round, line.at) == (game.beacon_round, event.at)


def winners(seed: bytes, other_seeds: list[bytes], tries: int) -> list[bytes]:
    """Return own seeds that deal a pair of dukes to the player on the last seat, who knows ``seed``."""
    tried = (number.to_bytes(32, "big") for number in range(tries))
    return [own_seed for own_seed in tried if hands(seed, [*other_seeds, own_seed])[-1] == ("duke", "duke")]


@pytest.mark.parametrize("protection", ["a promised seed", "the beacon"])
def test_a_million_tries_from_the_last_seat_gain_nothing(protection: str) -> None:
    seed, honest = chain.nonce(b"million", 1), chain.nonce(b"million", 2)
    published = chain.randomness(sign(1000))
    tried = winners(seed, [] if protection == "a promised seed" else [honest], TRIES)
    after = [published] if protection == "the beacon" else []
    won = sum(hands(seed, [honest, own_seed, *after])[-1] == ("duke", "duke") for own_seed in tried)
    by_luck = len(tried) / 35
    assert len(tried) > TRIES / 100, "the attacker has many seeds that would do"
    assert abs(won - by_luck) < 6 * by_luck**0.5 + 1, "with what they could not know, each of them is as good as any"


@pytest.mark.parametrize("protection", ["a promised seed", "the beacon"])
def test_of_a_million_seeds_or_signatures_none_is_taken_in_place_of_the_true_one(protection: str) -> None:
    if protection == "a promised seed":
        promised = chain.seed_commitment(SEED)
        numbers = [number for number in range(TRIES) if chain.seed_commitment(f"{number:064x}") == promised]
    else:
        first = bytes.fromhex(sign(1000))
        forged = ((int.from_bytes(first, "big") ^ number).to_bytes(48, "big").hex() for number in range(1, TRIES + 1))
        numbers = [number for number, signature in enumerate(forged) if chain.is_signed(1000, signature, KEY)]
        assert not any(chain.is_signed(1000, sign(number), KEY) for number in range(1001, 1021))
    assert numbers == []


def test_nothing_that_is_tried_after_the_round_is_fixed_moves_the_deal(
    served: Beacon, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON, committed())
    game = reveal_seed(game.id, bahareh, SEED, fresh(game).deal_head, "api", NOON)
    seeds = [bytes.fromhex(seat.seed) for seat in game.seats.all()]
    chance = SeededChance(bytes(game.seed), str(game.id), [*seeds, chain.randomness(sign(game.beacon_round or 0))])
    dealt = COUP.setup(COUP.options(**game.options), 2, chance)
    for seed in (OTHER, SEED):
        for player in (maryam, bahareh, dariush):
            try:
                reveal_seed(game.id, player, seed, game.deal_head, "api", NOON)
            except Refusal:
                continue
    for player in (bahareh, dariush):
        for act in (
            lambda item: join_game(game.id, item, "", "api", NOON, Seeding(seed=OTHER)),
            lambda item: leave_game(game.id, item, "api", NOON),
        ):
            with pytest.raises(Refusal):
                act(player)
    starting.sweep(NOON + BEACON_CAME)
    events = [line.event for line in log_store.read(fresh(game))]
    assert [event for event in events if isinstance(event, SeedRevealed)] == [SeedRevealed(seat=2, seed=SEED)]
    at = next(index for index, event in enumerate(events) if event == dealt[0])
    assert tuple(events[at : at + len(dealt)]) == tuple(dealt)


def test_whoever_joins_before_the_last_seat_is_sent_the_commitment(maryam: Account, bahareh: Account) -> None:
    game = join_game(opened(maryam, seats=3).id, bahareh, "", "api", NOON)
    sent = Notification.objects.get(account=bahareh, reason="joined").content()
    assert game.commitment in str(sent).replace("\u2068", "").replace("\u2069", "")
    assert game.state == Game.State.OPEN


def test_without_any_protection_page_mail_and_record_say_whom_the_game_trusts(
    maryam: Account, bahareh: Account, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = join_game(opened(maryam).id, bahareh, "", "api", NOON)
    plain = "its operator could see or choose them"
    assert plain in deal_protection(game)
    visitor = Client()
    visitor.force_login(bahareh)
    assert plain in visitor.get(f"/games/{game.pk}/").content.decode()
    write_due(NOON + SOON)
    emails = Notification.objects.filter(rendered__isnull=False)
    assert {email.account for email in emails if plain in str(email.content())} == {maryam, bahareh}
    record = records.export_record(play_out(fresh(game)))
    assert record.trust == "This game trusts the operator of the server: nothing kept them from choosing the cards."
    file = tmp_path / "record.json"
    file.write_bytes(dump(record))
    assert verify["main"]([str(file)]) == 3
    assert record.trust in capsys.readouterr().out


def test_the_terms_say_what_follows_where_a_deal_cannot_be_protected() -> None:
    assert GameTerms().unprotected == "deal"
