"""Plans: answers that players give ahead.

A plan answers as its player does, and other players do not see it. The game decides what a plan may look at
(``games.engine.plans``). A planned turn is played immediately. The terms of the game (``GameTerms.plans``)
decide whether a plan answers all other questions immediately, too, or at a moment that does not tell that the answer
was planned (``games.deadlines.answer_times``). Until then the question is open (``OpenQuestion.planned_at``), and an
answer by hand comes first.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import transaction

from accounts.models import Account
from games.deadlines import timing
from games.deadlines.answer_times import Span, draw_moment, earlier_answers
from games.engine import MoveText, Notation, Phrase, Question, RuleViolation, SeatNumber, gettext_noop
from games.engine.chance import plan_chance
from games.engine.plans import first_answer
from games.engine.reading import names_to_read
from games.event_log import log_store
from games.event_log.encoding import decode, encode
from games.models import Game, Move, OpenQuestion, Plan
from games.play.locked_game import LockedGame, lock_game
from games.refusals import Refusal, not_seated
from notifications.recipients import preferences

MOST: Final = 20
"""The most plans a seat may have at once, and the most finished ones that are listed with them."""
_LONGEST: Final = 500
"""The number of answers plans give at most before the game is stored."""


def of_seat(game: Game, account: Account) -> list[Plan]:
    """The plans of an account in a game, in the order in which they are asked."""
    found = [(row, decoded(game, row)) for row in _standing(game, account)]
    return [row for row, _ in sorted(found, key=lambda pair: _sorting(game, *pair))]


def done(game: Game, account: Account) -> list[Plan]:
    """The latest of an account's plans that were carried out or have lapsed, the last one first."""
    rows = Plan.objects.filter(game=game, account=account, done_at__isnull=False)
    return list(rows.order_by("-done_at", "-number")[:MOST])


def _standing(game: Game, account: Account) -> Any:
    return Plan.objects.filter(game=game, account=account, done_at=None)


def decoded(game: Game, row: Plan) -> Any:
    """A plan as the game reads it."""
    return msgspec.json.decode(row.body, type=plan_rules_of(game).plan_type)


def last_answer(game: Game, row: Plan) -> Any:
    """Return what a plan answered last, as the game's move; None where it has not answered yet."""
    move_type = log_store.rules_of(game).move_type
    return None if row.last_answer is None else decode(move_type, row.last_answer, "")


def give(
    game: uuid.UUID,
    account: Account,
    plan: Any,
    now: datetime,
    instead: Plan | None = None,
    via: str = Move.Via.API,
    received_at: datetime | None = None,
) -> uuid.UUID:
    """Keep a plan (in place of another), and have it answer what was open when it came; gives its id.

    It is JSON, or ``Notation``. Refusal ``malformed`` (no plan of this game), ``forbidden`` (not at this table),
    ``conflict`` (no game is on, too many plans, a second one about the same, a game without any, ``instead`` is done).
    """
    with lock_game(game, now) as locked:
        seat = _playing(locked, account)
        assert locked is not None
        wanted = _read(locked, seat, plan)
        row = _place_for(locked, seat, account, wanted, instead)
        row.body = msgspec.json.encode(wanted).decode()
        row.via, row.created_at = via, received_at or now
        row.after = _lapse_question(locked, seat, wanted)
        row.times, row.last_at, row.last_answer = 0, None, None
        row.save()
        if not locked.waiting:
            answer_questions(locked)
    return row.pk


def ask_only_aimed(game: uuid.UUID, account: Account, wanted: bool, via: str, now: datetime) -> None:
    """Ask a player only what concerns them, in this game and in those that start from now on; or everything again.

    Refusal ``forbidden`` (not at this table), ``conflict`` (no game is on, or each of its questions concerns them).
    """
    with transaction.atomic():
        with lock_game(game, now) as locked:
            _playing(locked, account)
            assert locked is not None
            if plan_rules_of(locked.game).usual is None:
                raise Refusal("conflict", Phrase(gettext_noop("In this game every question concerns you.")))
        preferences.change(account, {"only_aimed": wanted}, now)
        standing = _usual(locked.game, account)
        if wanted and standing is None:
            give(game, account, msgspec.to_builtins(plan_rules_of(locked.game).usual), now, via=via)
        elif not wanted and standing is not None:
            withdraw(standing, now)


def _usual(game: Game, account: Account) -> Plan | None:
    """The plan of a player that allows what does not concern them, where it stands."""
    usual = plan_rules_of(game).usual
    return next((row for row in _standing(game, account) if decoded(game, row) == usual), None)


def give_usual(locked: LockedGame, seats: Iterable[SeatNumber]) -> None:
    """Begin with the plan of those players who want to be asked only what concerns them, where the game has one."""
    plan_rules = locked.rules.plans
    if plan_rules is None or plan_rules.usual is None:
        return
    accounts = {seat: account for seat in seats if (account := locked.seats[seat].account) is not None}
    wanted = preferences.of_all([account.pk for account in accounts.values()])
    for seat, account in accounts.items():
        if account.pk in wanted and wanted[account.pk].only_aimed:
            row = _new_row(locked, seat, account)
            row.body, row.created_at = msgspec.json.encode(plan_rules.usual).decode(), locked.now
            row.via = _usual_way(account)
            row.save()
            if locked.plans is not None:
                locked.plans.append(row)


def _usual_way(account: Account) -> str:
    """Return how somebody answers by hand: their plans answer so too, lest the record of a game tell them apart."""
    by_hand = Move.objects.filter(account=account, plan=None, via__in=(Move.Via.MAIL, Move.Via.PAGE, Move.Via.API))
    return by_hand.order_by("-received_at").values_list("via", flat=True).first() or Move.Via.PAGE.value


def _playing(locked: LockedGame | None, account: Account) -> SeatNumber:
    """Return where this account plays, if it does."""
    seat = None if locked is None else locked.seat_of(account)
    if locked is None or seat is None:
        raise not_seated()
    if locked.game.state != Game.State.RUNNING:
        raise Refusal("conflict", Phrase(gettext_noop("Plans are made while a game is being played.")))
    return seat


def _read(locked: LockedGame, seat: SeatNumber, plan: Any) -> Any:
    """A plan that this seat may give as the game stands."""
    plan_rules, view = plan_rules_of(locked.game), locked.rules.view(locked.state, seat)
    if isinstance(plan, Notation):
        try:
            return plan_rules.parse(view, seat, plan.text, names_to_read(locked.names()))
        except RuleViolation as violation:
            raise Refusal("malformed", violation.phrase, "text") from violation
    try:
        read = msgspec.convert(plan, plan_rules.plan_type)
    except msgspec.ValidationError as error:
        sentence = gettext_noop("This is not a plan of this game: %(why)s.")
        raise Refusal("malformed", Phrase(sentence, {"why": str(error)[:200]}), "plan") from error
    if why := plan_rules.wrong(view, seat, read):
        raise Refusal("malformed", why, "plan")
    return read


def plan_rules_of(game: Game) -> Any:
    """Return what the game says of plans. Refusal ``conflict`` for a game that has none."""
    plan_rules = log_store.rules_of(game).plans
    if plan_rules is None:
        raise Refusal("conflict", Phrase(gettext_noop("This game has no plans.")))
    return plan_rules


def _place_for(locked: LockedGame, seat: SeatNumber, account: Account, wanted: Any, instead: Plan | None) -> Plan:
    """The row in which a plan is kept: a new one, or that of the one it takes the place of."""
    rows = {row.pk: row for row in _standing(locked.game, account)}
    if instead is not None and instead.pk not in rows:
        raise _is_done(instead)
    plan_rules = plan_rules_of(locked.game)
    about = plan_rules.subject(wanted)
    for row in rows.values() if about is not None else ():
        other = decoded(locked.game, row)
        if plan_rules.subject(other) == about and (instead is None or row.pk != instead.pk):
            sentence = gettext_noop("Your plan %(number)s is about the same (%(plan)s): change it, or cancel it.")
            said = {"number": row.number, "plan": MoveText(plan_rules.text(other))}
            raise Refusal("conflict", Phrase(sentence, said))
    if instead is not None:
        replaced: Plan = rows[instead.pk]
        return replaced
    if len(rows) >= MOST:
        raise Refusal(
            "limit-reached",
            Phrase(gettext_noop("You have %(most)s plans, which is the limit. Cancel one first."), {"most": MOST}),
        )
    return _new_row(locked, seat, account)


def _new_row(locked: LockedGame, seat: SeatNumber, account: Account) -> Plan:
    seat_row = locked.seats[seat]
    seat_row.plan_count += 1
    seat_row.save(update_fields=["plan_count"])
    return Plan(game=locked.game, seat=seat, account=account, number=seat_row.plan_count)


def _is_done(plan: Plan) -> Refusal:
    sentence = gettext_noop("You no longer have a plan %(number)s.")
    return Refusal("conflict", Phrase(sentence, {"number": plan.number}))


def withdraw(plan: Plan, now: datetime) -> None:
    """Take a plan back: from then on it answers nothing. Refusal ``conflict`` where it does not stand any more."""
    if not withdraw_together(plan.game_id, [plan.pk], now):
        raise _is_done(plan)


def withdraw_together(
    game: uuid.UUID, plans: Collection[uuid.UUID], now: datetime, *, only_unused: bool = False
) -> int:
    """Take plans back before any of the others answers, and return how many that were.

    Those that do not stand any more are passed over, and where ``only_unused`` those that have answered.
    """
    with lock_game(game, now) as locked:
        standing = Plan.objects.filter(game=game, pk__in=plans, done_at=None)
        deleted, _ = (standing.filter(times=0) if only_unused else standing).delete()
        if deleted and locked is not None and not locked.waiting:
            answer_questions(locked)
    return deleted


Given = dict[SeatNumber, list[tuple[Plan, Any]]]
"""The plans of each seat, in the order in which they are asked."""


def answer_questions(locked: LockedGame) -> None:
    """Let plans answer what they can, until none of them answers an open question."""
    if locked.state is None or not any(seat.plan_count for seat in locked.seats.values()):
        return
    given = _given(locked)
    for _ in range(_LONGEST):
        for row, plan in (pair for plans in given.values() for pair in plans):
            _wait_for_the_answer(locked, row, plan)
        found = min(_answers(locked, given), key=lambda each: each[0].created_at, default=None)
        if found is None:
            return
        _answer(locked, given, *found)


def _lapse_question(locked: LockedGame, seat: SeatNumber, plan: Any) -> str:
    """The open question with which such a plan of this seat would have lapsed, had it stood; empty where none is."""
    view, plan_rules = locked.rules.view(locked.state, seat), plan_rules_of(locked.game)
    mine = [question for question in locked.rules.questions(locked.state) if question.seat == seat]
    return next((question.id for question in mine if plan_rules.is_spent(view, question, plan)), "")


def _given(locked: LockedGame) -> Given:
    given: Given = {}
    if locked.plans is None:
        locked.plans = list(locked.game.plans.filter(done_at=None))
    for row in (plan for plan in locked.plans if plan.done_at is None):
        seat = locked.seats.get(SeatNumber(row.seat))
        if seat is not None and seat.account_id == row.account_id:
            given.setdefault(SeatNumber(row.seat), []).append((row, decoded(locked.game, row)))
    for plans in given.values():
        plans.sort(key=lambda pair: _sorting(locked.game, *pair))
    return given


def _wait_for_the_answer(locked: LockedGame, row: Plan, plan: Any) -> None:
    """Make a plan that was given while a question was open with which such plans lapse wait for its answer, also if it
    was asked anew.
    """
    if row.after and row.after not in locked.open:
        answered = any(move.question == row.after and move.last_event for move in locked.resolved)
        row.after = "" if answered else _lapse_question(locked, SeatNumber(row.seat), plan)
        locked.acted[row.pk] = row


def _sorting(game: Game, row: Plan, plan: Any) -> Any:
    return plan_rules_of(game).rank(plan), row.number


def _answers(locked: LockedGame, given: Given) -> Iterator[tuple[Plan, Question, Any]]:
    """Yield which plan answers each question now, and what. Those that lapse with a question are done."""
    for question in locked.rules.questions(locked.state):
        plans, asked = given.get(question.seat, []), locked.open[question.id]
        in_time = [(row, plan) for row, plan in plans if row.created_at <= asked.due_at and not row.after]
        is_turn = timing.pace_of(locked.rules, question.kind) == "turn"
        is_left_to_bot = _is_left_to_bot(locked, asked)
        if is_left_to_bot and is_turn:
            continue
        answer, which, spent = first_answer(locked.rules, locked.state, question, [plan for _, plan in in_time])
        for index in spent:
            plans.remove(in_time[index])
            _finish(locked, in_time[index][0])
        if is_left_to_bot:
            continue
        if which is None:
            if asked.planned_at is not None:
                locked.put_by_hand(asked)
        elif _is_due(locked, question, asked, in_time[which][0]):
            yield in_time[which][0], question, answer


def _is_left_to_bot(locked: LockedGame, asked: OpenQuestion) -> bool:
    """Return whether the bot answers who sits in: that a player who is away answers would tell of their plan."""
    return asked.bot and bool(locked.game.terms.plans == "private")


def _is_due(locked: LockedGame, question: Question, asked: OpenQuestion, row: Plan) -> bool:
    """Return whether a plan answers now. If it answers later, note when.

    Turns are played immediately in all games. In a private game all other answers wait, also those that are hidden
    until the window closes: the record of the finished game has their times.
    """
    if locked.game.terms.plans == "quick" or timing.pace_of(locked.rules, question.kind) == "turn":
        return True
    if asked.planned_at is None:
        locked.leave_to_plan(asked, _moment(locked, asked, row))
    return asked.planned_at is not None and asked.planned_at <= locked.exact_now


def _moment(locked: LockedGame, asked: OpenQuestion, row: Plan) -> datetime:
    """Return when an answer by plan counts, as if it came by hand; in time, even where hardly any is left."""
    owner = locked.seats[SeatNumber(asked.seat)].account
    span = Span(max(asked.asked_at, locked.exact_now), asked.due_at)
    if owner is None or span.begin >= span.end:
        return locked.exact_now
    chance = plan_chance(bytes(locked.game.seed), str(locked.game.id), asked.question, str(row.pk))
    return draw_moment(earlier_answers(owner.pk, locked.game), owner, asked.asked_at, span, chance)


def _answer(locked: LockedGame, given: Given, row: Plan, question: Question, answer: Any) -> None:
    """Answer a question as its player; a plan that is for once is gone then."""
    asked = locked.open[question.id]
    chance, planned_at, asked.planned_at = locked.chance(), asked.planned_at, None
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
        asked_at=asked.asked_at if planned_at else None,
        state=Move.State.APPLIED,
    )
    locked.happen(events, chance, move, has_waited=planned_at is not None)
    row.times, row.last_at, row.last_answer = row.times + 1, locked.now, move.body
    plans = given[question.seat]
    assert locked.rules.plans is not None
    if locked.rules.plans.is_once(next(plan for each, plan in plans if each is row)):
        plans[:] = [pair for pair in plans if pair[0] is not row]
        row.done_at = locked.now
    locked.acted[row.pk] = row


def _finish(locked: LockedGame, row: Plan) -> None:
    """Ask a plan no more."""
    row.done_at = locked.now
    locked.acted[row.pk] = row
