"""Plans: they answer once, as their owner would, and other players cannot recognise them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from games import account_data
from games.announcements import notify
from games.archive import game_audit, records
from games.engine import EVERYONE, SPECTATOR, SeatNumber
from games.engine.record import RESIGNATION
from games.event_log import log_store
from games.event_log.table_events import TableEvent
from games.models import Game, Move, Plan
from games.play import plans, timeouts
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.refusals import Refusal
from games.rules.sedlec.state import closed_piles
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import show_log
from notifications.models import Notification
from tests.examples import for_each
from tests.games import finished, seated
from tests.games.seated import NOON, agree, play, seat_address
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db
SOON = NOON + timedelta(minutes=5)
LATER = NOON + timedelta(minutes=6)
Cast = tuple[Account, Account, Account]


@pytest.fixture
def cast(maryam: Account, sepideh: Account, bahareh: Account) -> Cast:
    return maryam, sepideh, bahareh


def begin(players: Sequence[Account | None], *deal: Sequence[str], **options: Any) -> Game:
    """Return a game in which all plans answer immediately."""
    game = seated.begin(players, *deal, **options)
    agree(game, plans="quick")
    return game


def begun(players: list[Account], rules: str, **options: Any) -> Game:
    """Return such a game with other rules."""
    game = finished.begun(players, rules, **options)
    agree(game, plans="quick")
    return game


def plan(game: Game, account: Account, kind: str, **fields: Any) -> Plan:
    return Plan.objects.get(pk=plans.store_plan(game.id, account, {"type": kind, **fields}, SOON))


def open_questions(game: Game) -> list[tuple[int, str]]:
    return sorted(game.open_questions.values_list("seat", "kind"))


def last_answers(game: Game) -> list[tuple[int, str, str]]:
    """Return the last answers in order: the seat, the kind (by hand, by a plan or by a timeout) and the move."""
    moves = Move.objects.filter(game=game, state="applied").order_by("first_event")
    return [(move.seat, "plan" if move.plan else move.via, move.body or "") for move in moves]


@pytest.fixture
def game(cast: Cast) -> Game:
    return begin(cast)


def test_what_is_not_aimed_at_its_owner_is_allowed_for_them(cast: Cast, game: Game) -> None:
    plan(game, cast[1], "allow-others")
    plan(game, cast[2], "allow-others")
    play(game, "1 tax")
    assert open_questions(game) == [(2, "turn")], "everybody has allowed it, and the next turn has begun"
    assert [via for _, via, _ in last_answers(game)] == ["api", "plan", "plan"]
    play(game, "2 steal 3", "1 allow")
    assert open_questions(game) == [(3, "challenge")], "who is stolen from is asked themselves"


def test_a_log_in_which_plans_answered_follows_from_its_moves(cast: Cast) -> None:
    game = create_game(cast[0], NewGame(rules="coup", seat_count=3, plans="quick"), "api", NOON)
    for other in cast[1:]:
        game = join_game(game.id, other, "", "api", NOON)
    for account in cast:
        plans.store_plan(game.id, account, {"type": "allow-others"}, SOON)
    play(game, f"{game.open_questions.get().seat} tax")
    assert [via for _, via, _ in last_answers(game)] == ["api", "plan", "plan"]
    assert game_audit.find_faults(fresh(game)) == []


def test_a_plan_answers_what_is_open_already(cast: Cast, game: Game) -> None:
    play(game, "1 tax")
    plan(game, cast[2], "allow-others")
    assert open_questions(game) == [(2, "challenge")]


def test_a_player_or_an_action_is_allowed_until_one_says_otherwise(cast: Cast, game: Game) -> None:
    plan_row = plan(game, cast[1], "allow", player=1)
    plan(game, cast[2], "allow", action="tax")
    play(game, "1 tax")
    assert open_questions(game) == [(2, "turn")]
    plans.withdraw(plan_row, LATER)
    play(game, "2 income", "3 income", "1 tax")
    assert open_questions(game) == [(2, "challenge")]


def test_the_next_claim_is_challenged_once(cast: Cast) -> None:
    game = begin(cast, answers="sealed")
    plan_row = plan(game, cast[2], "challenge", character="duke", player=1)
    play(game, "1 foreign-aid", "2 allow", "3 allow", "2 tax", "1 allow")
    assert open_questions(game) == [(3, "challenge")], "a claim of somebody else is no concern of the plan"
    play(game, "3 allow", "3 income", "1 tax")
    assert (3, "plan", '{"type":"challenge"}') in last_answers(game)
    plan_row.refresh_from_db()
    assert plan_row.done_at is not None


@pytest.mark.parametrize(("action", "expected"), [("tax", '{"type":"prove"}'), ("steal 2", '{"type":"concede"')])
def test_a_challenge_is_answered_whether_or_not_the_claim_was_true(
    cast: Cast, action: str, expected: str, game: Game
) -> None:
    plan(game, cast[0], "if-challenged", lose="contessa")
    play(game, f"1 {action}", "3 challenge")
    assert last_answers(game)[-1][1] == "plan"
    assert last_answers(game)[-1][2].startswith(expected)


def test_who_does_not_hold_the_card_any_more_concedes_another(cast: Cast, game: Game) -> None:
    plan(game, cast[0], "if-challenged", lose="ambassador")
    play(game, "1 steal 2", "3 challenge")
    assert last_answers(game)[-1][1] == "plan", "that it answered tells nothing of the hand"


@pytest.mark.parametrize(("card", "lost"), [("contessa", "contessa"), ("ambassador", "captain")])
def test_the_card_to_lose_is_lost_or_another_in_its_place(cast: Cast, card: str, lost: str, game: Game) -> None:
    plan(game, cast[1], "if-losing", lose=card)
    play(game, "1 tax", "2 challenge", "1 prove")
    assert last_answers(game)[-1] == (2, "plan", f'{{"type":"lose","character":"{lost}"}}')


def test_what_is_aimed_at_its_owner_is_blocked_whatever_they_hold(cast: Cast, game: Game) -> None:
    plan(game, cast[2], "allow-others")
    plan(game, cast[1], "block", action="steal", character="captain")
    play(game, "1 steal 2")
    assert open_questions(game) == [(1, "challenge-block")], "the third allows both, and the second blocks the theft"
    assert (2, "plan", '{"type":"block","character":"captain"}') in last_answers(game)


def test_an_action_without_a_claim_is_blocked_each_time_it_is_taken(cast: Cast, game: Game) -> None:
    plan(game, cast[1], "block", action="foreign-aid", character="duke")
    plan(game, cast[2], "allow-others")
    play(game, "1 foreign-aid")
    assert open_questions(game) == [(1, "challenge-block")]
    play(game, "1 allow", "2 income", "3 foreign-aid")
    assert open_questions(game) == [(1, "challenge-block"), (3, "challenge-block")]


def test_only_the_player_named_is_blocked(cast: Cast, game: Game) -> None:
    plan(game, cast[0], "block", action="steal", character="captain", player=3)
    plan(game, cast[2], "allow-others")
    play(game, "1 income", "2 steal 1")
    assert open_questions(game) == [(1, "challenge")]
    play(game, "1 allow", "3 steal 1")
    assert open_questions(game) == [(2, "challenge")], "the block is given, and hidden until the window closes"
    play(game, "2 allow")
    assert open_questions(game) == [(2, "challenge-block"), (3, "challenge-block")]


def test_a_block_given_ahead_lapses_where_the_claim_is_challenged(cast: Cast, game: Game) -> None:
    plan(game, cast[1], "block", action="steal", character="captain")
    play(game, "1 steal 2", "3 challenge", "1 concede contessa")
    assert open_questions(game) == [(2, "turn")], "what was conceded is not blocked any more"


def test_what_is_ordered_during_ones_turn_is_for_the_turns_after_it(cast: Cast, game: Game) -> None:
    plan(game, cast[0], "next-turn", move={"type": "foreign-aid"})
    plan(game, cast[0], "next-turn", move={"type": "tax"})
    assert open_questions(game) == [(1, "turn")]
    play(game, "1 income", "2 income", "3 income")
    assert last_answers(game)[-1] == (1, "plan", '{"type":"foreign-aid"}')
    play(game, "2 allow", "3 allow", "2 income", "3 income")
    assert last_answers(game)[-1] == (1, "plan", '{"type":"tax"}')


def test_a_turn_that_is_asked_anew_is_still_the_turn_in_which_a_plan_was_given(cast: Cast, game: Game) -> None:
    plan(game, cast[0], "next-turn", move={"type": "tax"})
    (before,) = game.open_questions.all()
    store_move(game, cast[2], WrittenMove("", RESIGNATION), Move.Via.API, LATER)
    resolve(game.pk, LATER)
    (anew,) = game.open_questions.all()
    assert (anew.seat, anew.kind, anew.question != before.question) == (1, "turn", True)
    play(game, "1 income", "2 income")
    assert last_answers(game)[-1] == (1, "plan", '{"type":"tax"}')


def test_a_turn_of_sedlec_that_is_ordered_before_or_after_a_dig_is_one_after_it(cast: Cast) -> None:
    game = begun([*cast[:2]], "sedlec", starting_player=1)
    first, second, third, fourth, fifth = closed_piles(log_store.position(game).state)
    plan(game, cast[0], "next-turn", move={"type": "dig", "piles": [third, fourth]})
    play(game, f"1 dig {first} {second}")
    plan(game, cast[0], "next-turn", move={"type": "dig", "piles": [third, fifth]})
    play(game, f"1 take {first}")
    assert open_questions(game) == [(2, "turn")]
    play(game, f"2 collect {second}")
    assert last_answers(game)[-1] == (1, "plan", f'{{"type":"dig","piles":[{third},{fourth}]}}')
    assert [row.number for row in plans.active_plans(game, cast[0])] == [2]


@pytest.mark.parametrize(
    ("action", "card", "why"),
    [
        ("tax", "duke", "“tax” can’t be blocked in this game. These actions can: foreign-aid, assassinate, steal."),
        ("steal", "duke", "“steal” can’t be blocked with the “duke”, only with: ambassador, captain."),
        ("steal", "pope", "There’s no character “pope” in this game."),
    ],
)
def test_a_block_that_no_rule_knows_is_refused(cast: Cast, action: str, card: str, why: str, game: Game) -> None:
    with pytest.raises(Refusal) as refused:
        plan(game, cast[1], "block", action=action, character=card)
    assert (refused.value.code, str(refused.value.phrase)) == ("malformed", why)
    assert plans.active_plans(game, cast[1]) == []


@pytest.mark.parametrize(("challenge", "verb"), [(True, "challenge"), (False, "allow")])
def test_a_block_of_ones_own_action_is_challenged_or_accepted(
    cast: Cast, challenge: bool, verb: str, game: Game
) -> None:
    plan(game, cast[0], "if-blocked", challenge=challenge)
    play(game, "1 foreign-aid", "2 block duke")
    assert last_answers(game)[-1] == (1, "plan", f'{{"type":"{verb}"}}')


def test_the_next_turn_is_played_if_it_can_be_and_lapses_if_not(cast: Cast, game: Game) -> None:
    possible = plan(game, cast[1], "next-turn", move={"type": "tax"})
    impossible = plan(game, cast[2], "next-turn", move={"type": "coup", "target": 1})
    play(game, "1 income")
    assert last_answers(game)[-1] == (2, "plan", '{"type":"tax"}')
    play(game, "1 allow", "3 allow")
    assert open_questions(game) == [(3, "turn")]
    for plan_row in (possible, impossible):
        plan_row.refresh_from_db()
        assert plan_row.done_at is not None


def test_several_turns_ahead_are_played_one_after_another(cast: Cast, game: Game) -> None:
    tax = plan(game, cast[1], "next-turn", move={"type": "tax"})
    for move in ({"type": "coup", "target": 1}, {"type": "foreign-aid"}, {"type": "income"}):
        plan(game, cast[1], "next-turn", move=move)
    plans.store_plan(game.id, cast[1], {"type": "next-turn", "move": {"type": "income"}}, LATER, tax)
    play(game, "1 income", "3 income", "1 income")
    assert [body for seat, _, body in last_answers(game) if seat == 2] == [
        '{"type":"income"}',
        '{"type":"foreign-aid"}',
    ]
    play(game, "1 allow", "3 allow")
    standing = [row.number for row in plans.active_plans(game, cast[1])]
    lapsed = {row.number for row in plans.finished_plans(game, cast[1]) if row.last_at is None}
    assert (standing, lapsed) == ([4], {2})


@pytest.mark.parametrize(
    ("lines", "then"),
    [
        (("1 tax", "2 allow", "3 challenge", "1 prove"), "3 lose assassin"),
        (("1 foreign-aid", "2 allow", "3 block duke", "1 allow", "2 challenge"), "3 prove"),
    ],
    ids=("loss", "proof"),
)
def test_planned_turns_lapse_when_their_owners_cards_are_in_question(
    cast: Cast, lines: tuple[str, ...], then: str, game: Game
) -> None:
    for kind in ("income", "tax"):
        plan(game, cast[2], "next-turn", move={"type": kind})
    play(game, *lines)
    assert plans.active_plans(game, cast[2]) == []
    assert [row.last_at for row in plans.finished_plans(game, cast[2])] == [None, None]
    play(game, then)


def test_a_turn_that_is_said_while_one_loses_a_card_is_played(cast: Cast, game: Game) -> None:
    play(game, "1 income", "2 steal 1", "3 challenge", "2 prove")
    plan(game, cast[2], "next-turn", move={"type": "income"})
    assert open_questions(game) == [(3, "loss")]
    play(game, "3 lose assassin", "1 allow")
    assert last_answers(game)[-1] == (3, "plan", '{"type":"income"}')


def test_a_turn_that_is_said_while_a_plan_waits_to_lose_a_card_is_played(cast: Cast) -> None:
    game = seated.begin(cast)
    plan(game, cast[1], "if-losing", lose="contessa")
    play(game, "1 tax", "2 challenge", "1 prove")
    plan(game, cast[1], "next-turn", move={"type": "income"})
    planned_at = game.open_questions.get(kind="loss").planned_at
    assert planned_at is not None
    timeouts.sweep(planned_at)
    assert [move[1] for move in last_answers(game)[-2:]] == ["plan", "plan"]
    assert open_questions(game) == [(3, "turn")]


def test_while_a_bot_sits_in_planned_turns_lapse_too(cast: Cast) -> None:
    game = seated.begin(cast)
    plan(game, cast[2], "next-turn", move={"type": "income"})
    play(game, "1 tax", "2 allow", "3 challenge")
    game.seats.filter(number=3).update(away=True)
    play(game, "1 prove")
    assert game.open_questions.get(kind="loss").bot
    assert plans.active_plans(game, cast[2]) == []


def test_of_a_planned_turn_that_lapsed_nobody_is_told_that_it_was_played(cast: Cast, game: Game) -> None:
    plan(game, cast[2], "next-turn", move={"type": "income"})
    plan(game, cast[2], "if-losing", lose="assassin")
    play(game, "1 tax", "2 allow", "3 challenge", "1 prove")
    assert open_questions(game) == [(2, "turn")]
    assert plans.active_plans(game, cast[2])[0].number == 2
    assert not Notification.objects.filter(reason="played").exists()


def test_a_bomb_ends_planned_turns(cast: Cast) -> None:
    game = begin(cast, anarchist=True)
    play(game, "1 tax", "2 allow", "3 allow", "2 income")
    plan(game, cast[1], "next-turn", move={"type": "income"})
    play(game, "3 income", "1 bomb 2")
    assert plans.active_plans(game, cast[1]) == []


def test_who_planned_a_turn_hears_when_it_was_played_unless_a_question_tells_them(cast: Cast, game: Game) -> None:
    plan(game, cast[1], "next-turn", move={"type": "income"})
    plan(game, cast[2], "next-turn", move={"type": "coup", "target": 1})
    play(game, "1 income")
    assert [notification.account for notification in Notification.objects.filter(reason="played")] == [cast[1]]
    notify.write_due(NOON + timedelta(hours=2))
    notifications = Notification.objects.get(reason="played", state="ready").content()
    assert "نوبت بعد درآمد" in str(notifications.blocks[0])
    assert seat_address(game, 2) == notifications.reply_to


def test_the_next_mail_says_which_plan_answered_to_its_owner_alone(cast: Cast, game: Game) -> None:
    plan(game, cast[2], "allow-others")
    play(game, "1 tax", "2 allow")
    lines_list = [PlayerView(fresh(game), SeatNumber(seat), cast[seat - 1]).story().lines for seat in (1, 2, 3)]
    assert [line for line in lines_list[2] if "Your plan" in line] == [
        "Maryam collected tax with the duke: 3 coins. You allowed it. "
        "(Your plan: Allow everything that isn’t aimed at me.)"
    ]
    assert "plan" not in " ".join((*lines_list[0], *lines_list[1]))


def test_plans_go_on_after_the_clock_has_played(cast: Cast, game: Game) -> None:
    plan(game, cast[1], "next-turn", move={"type": "income"})
    timeouts.time_out_game(game.id, NOON + timedelta(days=3))
    assert [via for _, via, _ in last_answers(game)] == ["timeout", "plan"]


def test_others_see_nothing_that_tells_a_plan_from_a_hand(cast: Cast) -> None:
    observations = []
    for by_plan in (True, False):
        game = begin(cast)
        if by_plan:
            plan(game, cast[1], "allow-others")
        play(game, "1 tax", at=SOON)
        if not by_plan:
            play(game, "2 allow", at=SOON)
        play(game, "3 allow", at=SOON)
        lines = [line for line in log_store.read(fresh(game)) if not isinstance(line.event, TableEvent)]
        observations.append(
            [
                [
                    (line.event, line.at, line.via, line.seat)
                    for line in show_log(log_store.rules_of(game), lines, viewer)
                ]
                for viewer in (SPECTATOR, SeatNumber(1), SeatNumber(3))
            ]
        )
    assert observations[0] == observations[1]


def test_whether_a_plan_answers_does_not_depend_on_the_hand(cast: Cast) -> None:
    schedules = []
    for deal in ("contessa duke", "captain assassin"):
        rest = "captain contessa assassin duke" if deal == "contessa duke" else "duke contessa contessa duke"
        game = begin(cast, [*deal.split(), *rest.split()])
        plan(game, cast[0], "if-challenged", lose="contessa")
        play(game, "1 tax", "3 challenge", at=SOON)
        by_plan = set(Move.objects.filter(game=game, plan__isnull=False).values_list("pk", flat=True))
        proofs = [line for line in log_store.read(fresh(game)) if line.move in by_plan]
        schedules.append({line.at for line in proofs})
    assert schedules[0] == schedules[1] == {SOON}


@for_each(
    "wrong, why",
    [
        ({"type": "dance"}, "a plan of this game"),
        ({"type": "allow"}, "player or the action"),
        ({"type": "allow", "player": 9}, "no seat 9"),
        ({"type": "challenge", "character": "queen"}, "no character"),
        ({"type": "allow", "action": "dance"}, "Nobody is asked to allow"),
        ({"type": "allow", "action": "income"}, "Nobody is asked to allow"),
        ({"type": "allow", "action": "bomb"}, "Nobody is asked to allow"),
        ({"type": "allow", "player": 1}, "your own actions"),
        ({"type": "challenge", "character": "inquisitor"}, "no character"),
        ({"type": "next-turn", "move": {"type": "allow"}}, "isn’t an action you can take"),
        ({"type": "next-turn", "move": {"type": "steal", "target": 1}}, "isn’t an action you can take"),
        ({"type": "next-turn", "move": {"type": "examine", "target": 2}}, "isn’t an action you can take"),
        ({"type": "if-challenged"}, "a plan of this game"),
        ({"type": "next-turn", "move": {"type": "steal"}}, "a plan of this game"),
        ({"type": "allow-others", "extra": 1}, "a plan of this game"),
    ],
    undone=True,
)
def test_a_plan_that_is_none_is_refused(cast: Cast, wrong: dict[str, Any], why: str, game: Game) -> None:
    with pytest.raises(Refusal, match=why):
        plans.store_plan(game.id, cast[0], wrong, SOON)
    assert not Plan.objects.exists()


def test_only_those_who_play_give_plans_and_not_too_many(cast: Cast, dariush: Account, game: Game) -> None:
    with pytest.raises(Refusal, match="forbidden"):
        plan(game, dariush, "allow-others")
    actions = ("foreign-aid", "tax", "assassinate", "steal", "exchange")
    cards = ("duke", "captain", "assassin", "ambassador", "contessa")
    for action in actions:
        for who in ({}, {"player": 2}, {"player": 3}):
            plan(game, cast[0], "allow", action=action, **who)
    for card in cards:
        plan(game, cast[0], "challenge", character=card)
    with pytest.raises(Refusal, match=f"{plans.MAX_PLANS} plans"):
        plan(game, cast[0], "if-blocked", challenge=True)


def test_an_export_holds_ones_own_plans_and_nobody_elses(cast: Cast, game: Game) -> None:
    plan(game, cast[2], "allow", action="tax")
    (exported_plan,) = account_data.export_data(cast[2])["plans"]
    assert (exported_plan["number"], exported_plan["body"]) == (1, '{"type":"allow","player":null,"action":"tax"}')
    assert account_data.export_data(cast[0])["plans"] == []


def test_no_one_is_told_after_the_end_what_a_plan_answered(cast: Cast, game: Game) -> None:
    plan(game, cast[2], "allow-others")
    play(game, "1 tax", "2 allow", "2 resign yes", "3 resign yes")
    record = records.export_record(fresh(game))
    assert {move.via for move in record.moves} == {"api"}
    assert {line.via for line in show_log(log_store.rules_of(game), log_store.read(game), EVERYONE)} == {
        "server",
        "api",
    }
    histories = [PlayerView(fresh(game), SeatNumber(seat), cast[seat - 1], EVERYONE).history(99) for seat in (1, 2, 3)]
    assert ["Your plan" in " ".join(lines) for lines in histories] == [False, False, True]


def test_two_plans_about_the_same_are_one_too_many(cast: Cast, game: Game) -> None:
    first = plan(game, cast[2], "if-blocked", challenge=True)
    with pytest.raises(Refusal, match="Your plan 1 is about the same"):
        plan(game, cast[2], "if-blocked", challenge=False)
    plans.store_plan(game.id, cast[2], {"type": "if-blocked", "challenge": False}, SOON, first)
    assert [row.body for row in plans.active_plans(game, cast[2])] == ['{"type":"if-blocked","challenge":false}']


def test_a_plan_that_is_done_or_withdrawn_is_neither_changed_nor_withdrawn(cast: Cast, game: Game) -> None:
    done_plan = plan(game, cast[2], "challenge", character="duke")
    play(game, "1 tax")
    withdrawn_plan = plan(game, cast[1], "allow-others")
    plans.withdraw(withdrawn_plan, LATER)
    for row, owner in ((done_plan, cast[2]), (withdrawn_plan, cast[1])):
        with pytest.raises(Refusal, match="no longer exists"):
            plans.withdraw(row, LATER)
        with pytest.raises(Refusal, match="no longer exists"):
            plans.store_plan(game.id, owner, {"type": "allow-others"}, SOON, row)


def test_what_was_sent_before_a_plan_is_resolved_before_it(cast: Cast, game: Game) -> None:
    play(game, "1 tax")
    asked_of = game.open_questions.get(seat=3).question
    sent = store_move(fresh(game), cast[2], WrittenMove(asked_of, "challenge"), "api", SOON)
    plan(game, cast[2], "allow-others")
    resolve(game.id, SOON)
    sent.refresh_from_db()
    assert sent.state == Move.State.APPLIED
