"""Plans: answers that players give ahead.

A plan answers as its player does, and other players do not see it. The game decides what a plan may look at
(``games.engine.plans``). A planned turn is played immediately. The terms of the game (``GameTerms.plans``)
decide whether a plan answers all other questions immediately, too, or at a moment that does not tell that the answer
was planned (``reminder_schedule``). Until then the question is open (``OpenQuestion.planned_at``), and an answer by
hand comes first.

Plans answer after the received moves, in the same transaction. The log shows an answer of a plan with the ``via`` of
the plan (API, email or page), so that the record of the game does not show that it was planned. ``Move.plan`` has the
plan, for its owner only. docs/plans.md describes the notation.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import transaction

from accounts.models import Account
from games.deadlines import calculation
from games.deadlines.reminder_schedule import Span, draw_moment, earlier_answers
from games.engine import MoveText, Notation, Phrase, Question, RuleViolation, SeatNumber, gettext_noop
from games.engine.chance import plan_chance
from games.engine.plans import first_answer
from games.engine.reading import names_to_read
from games.event_log import log_store
from games.event_log.log_store import decode, encode
from games.models import Game, Move, OpenQuestion, Plan
from games.play.locked_game import LockedGame, lock_game
from games.refusals import Refusal, not_found
from notifications import preferences

MAX_PLANS: Final = 20
"""The most active plans of a seat, and the most finished plans that are listed with them."""
_MAX_ANSWERS: Final = 500
"""The most answers that plans give before the game is stored."""


def active_plans(game: Game, account: Account) -> list[Plan]:
    """Return the active plans of an account in a game, in the order in which they are tried."""
    plans = [(row, decode_plan(game, row)) for row in _active_rows(game, account)]
    return [row for row, _ in sorted(plans, key=lambda pair: _sort_key(game, *pair))]


def finished_plans(game: Game, account: Account) -> list[Plan]:
    """Return the plans of an account that were carried out or have lapsed, newest first."""
    rows = Plan.objects.filter(game=game, account=account, done_at__isnull=False)
    return list(rows.order_by("-done_at", "-number"))


def _active_rows(game: Game, account: Account) -> Any:
    return Plan.objects.filter(game=game, account=account, done_at=None)


def decode_plan(game: Game, row: Plan) -> Any:
    """Return a plan as the game's own type."""
    return msgspec.json.decode(row.body, type=plan_rules_of(game).plan_type)


def last_answer(game: Game, row: Plan) -> Any:
    """Return the last answer of a plan as the game's move, or None if it has not answered yet."""
    move_type = log_store.rules_of(game).move_type
    return None if row.last_answer is None else decode(move_type, row.last_answer, "")


def store_plan(
    game: uuid.UUID,
    account: Account,
    plan: Any,
    now: datetime,
    instead: Plan | None = None,
    via: str = Move.Via.API,
    received_at: datetime | None = None,
) -> uuid.UUID:
    """Store a plan, let plans answer the open questions, and return the id of the new plan.

    ``plan`` is JSON or ``Notation``. ``instead`` is the plan that it replaces. Raises Refusal(malformed) if it is no
    plan of this game, Refusal(forbidden) or Refusal(not-found) if the account has no seat, Refusal(limit-reached) if
    the seat has too many plans, and Refusal(conflict) if the game is not running or has no plans, if another plan has
    the same subject, or if ``instead`` is no longer active.
    """
    with lock_game(game, now) as locked:
        seat = _playing_seat(locked, account)
        assert locked is not None
        new_plan = _read_plan(locked, seat, plan)
        row = _row_for(locked, seat, account, new_plan, instead)
        row.body = msgspec.json.encode(new_plan).decode()
        row.via, row.created_at = via, received_at or now
        row.after = _blocking_question(locked, seat, new_plan)
        row.times, row.last_at, row.last_answer = 0, None, None
        row.save()
        if not locked.received_moves:
            answer_questions(locked)
    return row.pk


def set_only_aimed(game: uuid.UUID, account: Account, only_aimed: bool, via: str, now: datetime) -> None:
    """Set whether a player is asked only questions that concern them, in this game and in games that start later.

    Raises Refusal(forbidden) or Refusal(not-found) if the account has no seat, and Refusal(conflict) if the game is not
    running or if all its questions concern every player.
    """
    with transaction.atomic():
        with lock_game(game, now) as locked:
            _playing_seat(locked, account)
            assert locked is not None
            if plan_rules_of(locked.game).usual is None:
                raise Refusal("conflict", Phrase(gettext_noop("In this game every question concerns you.")))
        preferences.change(account, {"only_aimed": only_aimed}, now)
        usual_plan = _usual_plan(locked.game, account)
        if only_aimed and usual_plan is None:
            store_plan(game, account, msgspec.to_builtins(plan_rules_of(locked.game).usual), now, via=via)
        elif not only_aimed and usual_plan is not None:
            withdraw(usual_plan, now)


def _usual_plan(game: Game, account: Account) -> Plan | None:
    """Return the player's active plan that allows everything that does not concern them, if there is one."""
    usual = plan_rules_of(game).usual
    return next((row for row in _active_rows(game, account) if decode_plan(game, row) == usual), None)


def add_usual_plans(locked: LockedGame, seats: Iterable[SeatNumber]) -> None:
    """Add the usual plan of the game for players who want to be asked only what concerns them."""
    plan_rules = locked.rules.plans
    if plan_rules is None or plan_rules.usual is None:
        return
    accounts = {seat: account for seat in seats if (account := locked.seats[seat].account) is not None}
    player_preferences = preferences.of_all([account.pk for account in accounts.values()])
    for seat, account in accounts.items():
        if account.pk in player_preferences and player_preferences[account.pk].only_aimed:
            row = _new_row(locked, seat, account)
            row.body, row.created_at = msgspec.json.encode(plan_rules.usual).decode(), locked.now
            row.via = _usual_via(account)
            row.save()
            if locked.plans is not None:
                locked.plans.append(row)


def _usual_via(account: Account) -> str:
    """Return the ``via`` of the account's latest move by hand. The record must not tell plans from such moves."""
    by_hand = Move.objects.filter(account=account, plan=None, via__in=(Move.Via.MAIL, Move.Via.PAGE, Move.Via.API))
    return by_hand.order_by("-received_at").values_list("via", flat=True).first() or Move.Via.PAGE.value


def _playing_seat(locked: LockedGame | None, account: Account) -> SeatNumber:
    """Return the seat of an account in a running game.

    Raises Refusal(forbidden), Refusal(not-found) or Refusal(conflict).
    """
    if locked is None:
        raise not_found()
    seat = locked.require_seat(account)
    if locked.game.state != Game.State.RUNNING:
        raise Refusal("conflict", Phrase(gettext_noop("You can plan only while a game is running.")))
    return seat


def _read_plan(locked: LockedGame, seat: SeatNumber, plan: Any) -> Any:
    """Return a plan that is valid in the current position. Raises Refusal(malformed)."""
    plan_rules, view = plan_rules_of(locked.game), locked.rules.view(locked.state, seat)
    if isinstance(plan, Notation):
        try:
            return plan_rules.parse(view, seat, plan.text, names_to_read(locked.names()))
        except RuleViolation as violation:
            raise Refusal("malformed", violation.phrase, "text") from violation
    try:
        new_plan = msgspec.convert(plan, plan_rules.plan_type)
    except msgspec.ValidationError as error:
        sentence = gettext_noop("This isn’t a plan of this game: %(why)s.")
        raise Refusal("malformed", Phrase(sentence, {"why": str(error)[:200]}), "plan") from error
    if why := plan_rules.wrong(view, seat, new_plan):
        raise Refusal("malformed", why, "plan")
    return new_plan


def plan_rules_of(game: Game) -> Any:
    """Return the game's rules for plans. Raises Refusal(conflict) for a game without plans."""
    plan_rules = log_store.rules_of(game).plans
    if plan_rules is None:
        raise Refusal("conflict", Phrase(gettext_noop("This game has no plans.")))
    return plan_rules


def _row_for(locked: LockedGame, seat: SeatNumber, account: Account, new_plan: Any, instead: Plan | None) -> Plan:
    """Return the row for a new plan: the row of the plan that it replaces, or a new row."""
    rows = {row.pk: row for row in _active_rows(locked.game, account)}
    if instead is not None and instead.pk not in rows:
        raise _no_longer_active(instead)
    plan_rules = plan_rules_of(locked.game)
    subject = plan_rules.subject(new_plan)
    for row in rows.values() if subject is not None else ():
        other = decode_plan(locked.game, row)
        if plan_rules.subject(other) == subject and (instead is None or row.pk != instead.pk):
            sentence = gettext_noop("Your plan %(number)s is about the same (%(plan)s). Change it, or cancel it.")
            values = {"number": row.number, "plan": MoveText(plan_rules.text(other))}
            raise Refusal("conflict", Phrase(sentence, values))
    if instead is not None:
        replaced: Plan = rows[instead.pk]
        return replaced
    if len(rows) >= MAX_PLANS:
        raise Refusal(
            "limit-reached",
            Phrase(gettext_noop("You have %(most)s plans, which is the limit. Cancel one first."), {"most": MAX_PLANS}),
        )
    return _new_row(locked, seat, account)


def _new_row(locked: LockedGame, seat: SeatNumber, account: Account) -> Plan:
    seat_row = locked.seats[seat]
    seat_row.plan_count += 1
    seat_row.save(update_fields=["plan_count"])
    return Plan(game=locked.game, seat=seat, account=account, number=seat_row.plan_count)


def _no_longer_active(plan: Plan) -> Refusal:
    sentence = gettext_noop("Plan %(number)s no longer exists.")
    return Refusal("conflict", Phrase(sentence, {"number": plan.number}))


def withdraw(plan: Plan, now: datetime) -> None:
    """Delete a plan. Raises Refusal(conflict) if it is no longer active."""
    if not withdraw_plans(plan.game_id, [plan.pk], now):
        raise _no_longer_active(plan)


def withdraw_plans(game: uuid.UUID, plans: Collection[uuid.UUID], now: datetime, *, only_unused: bool = False) -> int:
    """Delete several plans before another plan answers, and return their number.

    Skips plans that are no longer active and, with ``only_unused``, plans that have answered.
    """
    with lock_game(game, now) as locked:
        active = Plan.objects.filter(game=game, pk__in=plans, done_at=None)
        deleted, _ = (active.filter(times=0) if only_unused else active).delete()
        if deleted and locked is not None and not locked.received_moves:
            answer_questions(locked)
    return deleted


PlansBySeat = dict[SeatNumber, list[tuple[Plan, Any]]]
"""The active plans of each seat, in the order in which they are tried."""


def answer_questions(locked: LockedGame) -> None:
    """Let plans answer open questions until no plan has an answer that is due."""
    if locked.state is None or not any(seat.plan_count for seat in locked.seats.values()):
        return
    plans_by_seat = _plans_by_seat(locked)
    for _ in range(_MAX_ANSWERS):
        for row, plan in (pair for plans in plans_by_seat.values() for pair in plans):
            _update_blocking_question(locked, row, plan)
        answers = _due_answers(locked, plans_by_seat)
        earliest = min(answers, key=lambda answer: answer[0].created_at, default=None)
        if earliest is None:
            return
        _play_answer(locked, plans_by_seat, *earliest)


def _blocking_question(locked: LockedGame, seat: SeatNumber, plan: Any) -> str:
    """Return the open question that would make a new plan lapse immediately, or an empty string."""
    view, plan_rules = locked.rules.view(locked.state, seat), plan_rules_of(locked.game)
    questions = [question for question in locked.rules.questions(locked.state) if question.seat == seat]
    return next((question.id for question in questions if plan_rules.is_spent(view, question, plan)), "")


def _plans_by_seat(locked: LockedGame) -> PlansBySeat:
    plans_by_seat: PlansBySeat = {}
    if locked.plans is None:
        locked.plans = list(locked.game.plans.filter(done_at=None))
    for row in (plan for plan in locked.plans if plan.done_at is None):
        seat = locked.seats.get(SeatNumber(row.seat))
        if seat is not None and seat.account_id == row.account_id:
            plans_by_seat.setdefault(SeatNumber(row.seat), []).append((row, decode_plan(locked.game, row)))
    for plans in plans_by_seat.values():
        plans.sort(key=lambda pair: _sort_key(locked.game, *pair))
    return plans_by_seat


def _update_blocking_question(locked: LockedGame, row: Plan, plan: Any) -> None:
    """Keep a new plan inactive until the question that would make it lapse has been answered.

    If that question was closed without an answer and another such question is open, the plan waits for that one.
    """
    if row.after and row.after not in locked.open:
        answered = any(move.question == row.after and move.last_event for move in locked.resolved_moves)
        row.after = "" if answered else _blocking_question(locked, SeatNumber(row.seat), plan)
        locked.changed_plans[row.pk] = row


def _sort_key(game: Game, row: Plan, plan: Any) -> Any:
    return plan_rules_of(game).rank(plan), row.number


def _due_answers(locked: LockedGame, plans_by_seat: PlansBySeat) -> Iterator[tuple[Plan, Question, Any]]:
    """Yield the plans that answer now, with the question and the answer. Retire plans that lapse with a question."""
    for question in locked.rules.questions(locked.state):
        plans, question_row = plans_by_seat.get(question.seat, []), locked.open[question.id]
        in_time = [(row, plan) for row, plan in plans if row.created_at <= question_row.due_at and not row.after]
        is_turn = calculation.pace_of(locked.rules, question.kind) == "turn"
        is_left_to_bot = _is_left_to_bot(locked, question_row)
        if is_left_to_bot and is_turn:
            continue
        answer, which, spent = first_answer(locked.rules, locked.state, question, [plan for _, plan in in_time])
        for index in spent:
            plans.remove(in_time[index])
            _retire(locked, in_time[index][0])
        if is_left_to_bot:
            continue
        if which is None:
            if question_row.planned_at is not None:
                locked.release_from_plan(question_row)
        elif _is_due(locked, question, question_row, in_time[which][0]):
            yield in_time[which][0], question, answer


def _is_left_to_bot(locked: LockedGame, question_row: OpenQuestion) -> bool:
    """Return True if a bot answers in place of the plan. An answer of an absent player would tell of the plan."""
    return question_row.bot and bool(locked.game.terms.plans == "private")


def _is_due(locked: LockedGame, question: Question, question_row: OpenQuestion, row: Plan) -> bool:
    """Return True if a plan answers now. If it answers later, store the time in the question's row.

    Turns are played immediately in all games. In a private game all other answers wait, also those that are hidden
    until the window closes: the record of the finished game has their times. A player who has only bots as opponents,
    and no stand-in, need not hide a plan from anyone.
    """
    if locked.game.terms.plans == "quick" or calculation.pace_of(locked.rules, question.kind) == "turn":
        return True
    # A time that is set already stays, also if the last opponent has left since: a move cannot come from the future.
    if question_row.planned_at is None:
        if _has_only_bots_beside(locked, question.seat):
            return True
        locked.set_plan_time(question_row, _answer_time(locked, question_row, row))
    return question_row.planned_at is not None and question_row.planned_at <= locked.exact_now


def _has_only_bots_beside(locked: LockedGame, seat: SeatNumber) -> bool:
    opponents = (seat_row for number, seat_row in locked.seats.items() if number != seat)
    return locked.seats[seat].stand_in_id is None and all(opponent.account_id is None for opponent in opponents)


def _answer_time(locked: LockedGame, question_row: OpenQuestion, row: Plan) -> datetime:
    """Return a time for the answer that looks like an answer by hand, and is never after the deadline."""
    owner = locked.seats[SeatNumber(question_row.seat)].account
    span = Span(max(question_row.asked_at, locked.exact_now), question_row.due_at)
    if owner is None or span.begin >= span.end:
        return locked.exact_now
    chance = plan_chance(bytes(locked.game.seed), str(locked.game.id), question_row.question, str(row.pk))
    return draw_moment(earlier_answers(owner.pk, locked.game), owner, question_row.asked_at, span, chance)


def _play_answer(locked: LockedGame, plans_by_seat: PlansBySeat, row: Plan, question: Question, answer: Any) -> None:
    """Answer a question for its player. A plan that answers once only is done then."""
    question_row = locked.open[question.id]
    chance, planned_at, question_row.planned_at = locked.chance(), question_row.planned_at, None
    events = locked.rules.decide(locked.state, question.seat, answer, chance)
    move = Move(
        game=locked.game,
        seat=question.seat,
        account_id=row.account_id,
        question=question.id,
        body=encode(answer),
        via=row.via,
        plan=row.body,
        received_at=planned_at or locked.now,
        asked_at=question_row.asked_at if planned_at else None,
        state=Move.State.APPLIED,
    )
    locked.apply_events(events, chance, move, has_waited=planned_at is not None)
    row.times, row.last_at, row.last_answer = row.times + 1, locked.now, move.body
    plans = plans_by_seat[question.seat]
    assert locked.rules.plans is not None
    if locked.rules.plans.is_once(next(plan for plan_row, plan in plans if plan_row is row)):
        plans[:] = [pair for pair in plans if pair[0] is not row]
        row.done_at = locked.now
    locked.changed_plans[row.pk] = row


def _retire(locked: LockedGame, row: Plan) -> None:
    """Mark a plan as done."""
    row.done_at = locked.now
    locked.changed_plans[row.pk] = row
