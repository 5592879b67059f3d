"""Plans by mail: given, listed, changed and taken back, each confirmed by a notification."""

import re
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.utils import translation
from msgspec.structs import replace

from accounts.models import Account
from games.announcements.notify import write_due
from games.engine import SeatNumber
from games.mail.commands import CancelPlan, Command, GivePlan, ListPlans, NotUnderstood, SeveralCommands
from games.models import Game, Heartbeat, Move, Plan
from games.phrases import plan_line
from games.play.plans import withdraw, withdraw_plans
from games.refusals import Refusal
from games.rules.coup import moves as m
from games.rules.coup import plans as o
from games.rules.registry import RULES
from notifications.mail_parsing.parser import SenderText
from notifications.models import Notification
from tests.examples import for_each, read_examples
from tests.games.mail.tables import GRAVEYARD, TURN, QuestionCase
from tests.games.mail.test_road import LATER, SECOND, email_bytes, notifications, send, text_of
from tests.games.seated import NOON, agree, begin, play, question_address, seat_address
from tests.third_game.table import create_fist, fresh, with_fist

EXAMPLES = read_examples(__file__)

__all__ = ["with_fist"]


def reading(*lines: str, case: QuestionCase = TURN) -> Command:
    return case.read(SenderText((lines,)))


@for_each("line, plan", EXAMPLES["plans"])
def test_a_plan_is_understood_in_both_languages(line: str, plan: str) -> None:
    command = reading(line)
    assert isinstance(command, GivePlan), command
    assert (command.number, TURN.rules.plans.text(command.plan)) == (None, plan)


@pytest.mark.parametrize("case", [TURN, GRAVEYARD], ids=["coup", "sedlec"])
def test_plans_are_shown_in_their_readers_language_and_can_be_sent_as_they_are_shown(case: QuestionCase) -> None:
    rules, seat = case.rules, case.question.seat
    examples = rules.plans.examples(rules.view(case.state, seat), seat)
    assert examples
    for plan in examples:
        texts = {}
        for language in ("en", "fa"):
            with translation.override(language):
                texts[language] = plan_line(rules, rules.plans.text(plan))
            command = reading(texts[language], case=case)
            assert isinstance(command, GivePlan), (texts, command)
            assert command.plan == plan
        assert texts["en"] == f"plan {rules.plans.text(plan)}"
        assert not re.search("[a-z]", texts["fa"]), texts


def test_a_number_before_it_says_which_plan_it_takes_the_place_of() -> None:
    for line in ("plan 3 allow all", "plan 3: allow all", "پیش‌حرکت ۳ اجازه همه"):
        command = reading(line)
        assert isinstance(command, GivePlan)
        assert (command.number, command.plan) == (3, o.AllowOthers())


def test_lists_and_cancellations_are_understood_in_both_languages() -> None:
    for line in ("plans", "Plans.", "plan", "پیش‌حرکت‌ها", "پیش‌حرکت‌ها", "پیش‌حرکت ها", "پیش‌حرکت"):
        assert reading(line) == ListPlans(), line
    for line in ("plan cancel 12", "پیش‌حرکت لغو ۱۲"):
        assert reading(line) == CancelPlan(12)
    for line in ("plan cancel all", "پیش‌حرکت لغو همه"):
        assert reading(line) == CancelPlan(None)


@for_each("line, why", EXAMPLES["nonsense"])
def test_nonsense_is_asked_back_with_its_reason(line: str, why: str) -> None:
    command = reading(line)
    assert isinstance(command, NotUnderstood), command
    assert why in str(command.phrase)


def test_an_answer_and_plans_stand_on_lines_of_their_own() -> None:
    several = reading("income", "plan next-turn tax", "Plan: block steal captain", "", "Good luck, everyone!")
    assert isinstance(several, SeveralCommands), several
    assert several.move is not None
    assert [plan.plan for plan in several.plans] == [o.NextTurn(m.Tax()), o.Block("steal", "captain")]
    twice = reading("plan next-turn tax", "plan next-turn tax")
    assert isinstance(twice, SeveralCommands)
    assert (twice.move, len(twice.plans)) == (None, 2), "for two turns"


def test_a_mail_says_one_thing_and_its_plans() -> None:
    for lines in EXAMPLES["two_commands"]:
        assert isinstance(reading(*lines), NotUnderstood), lines
    assert isinstance(reading("income", "", "plan a pizza for me"), NotUnderstood)


def test_forms_of_a_mail_must_give_the_same_plan() -> None:
    assert isinstance(TURN.read(SenderText((("plan allow tax 2",), ("plan allow 2 tax",)))), GivePlan)
    assert isinstance(TURN.read(SenderText((("plan allow 2",), ("plan allow 3",)))), NotUnderstood)


def test_a_turn_in_the_graveyard_is_ordered_ahead() -> None:
    view = GRAVEYARD.rules.view(GRAVEYARD.state, SeatNumber(2))
    ahead = GRAVEYARD.rules.plans.parse(view, SeatNumber(2), "نوبت بعد نبش قبر ۵ ۲", {})
    assert GRAVEYARD.rules.plans.text(ahead) == "next-turn dig 2 5"
    assert isinstance(reading("plan allow all", case=GRAVEYARD), NotUnderstood)


def plan_by_mail(game: Game, seat: int, line: str) -> Notification:
    """Return the reply to an email to a seat."""
    account = game.seats.get(number=seat).account
    before = [notification.pk for notification in notifications(account, "answer")]
    send(email_bytes(line, account.email), seat_address(game, seat), envelope=account.email)
    return Notification.objects.get(~Q(pk__in=before), account=account, reason="answer")


def standing(account: Account) -> list[tuple[int, str]]:
    return list(Plan.objects.filter(account=account).order_by("number").values_list("number", "body"))


def test_a_plan_is_given_listed_changed_and_taken_back_by_mail(game: Game, maryam: Account) -> None:
    answer = plan_by_mail(game, 1, "plan allow 2")
    assert answer.content().headline == "Your plan is set."
    assert "1. allow 2: Allow everything" in text_of(answer)
    plan_by_mail(game, 1, "plan if-blocked allow")
    changed = plan_by_mail(game, 1, "plan 1 allow all")
    assert "1. allow all: Allow everything that isn’t aimed at me." in text_of(changed)
    listed = plan_by_mail(game, 1, "plans")
    for line in ("1. allow all:", "2. if-blocked allow:", "plan cancel 2", "plan challenge duke 2"):
        assert line in text_of(listed), line
    assert standing(maryam) == [(1, '{"type":"allow-others"}'), (2, '{"type":"if-blocked","challenge":false}')]
    answer = plan_by_mail(game, 1, "plan cancel 2")
    assert answer.content().headline == "Plan cancelled. We’ll ask you again."
    plan_by_mail(game, 1, "plan challenge duke")
    assert [number for number, _ in standing(maryam)] == [1, 3], "a number is given once"
    plan_by_mail(game, 1, "plan cancel all")
    assert standing(maryam) == []
    assert not Move.objects.exists()


def test_a_plan_that_was_done_while_it_was_taken_back_stays_done(game: Game) -> None:
    plan_by_mail(game, 1, "plan challenge duke")
    plan_by_mail(game, 1, "plan allow 2")
    first, second = Plan.objects.order_by("number")

    def carried_out_by_another_worker(execute: Any, sql: str, *how: Any) -> Any:
        if "FOR NO KEY UPDATE" in sql or "FOR UPDATE" in sql:
            Plan.objects.filter(pk=first.pk).update(done_at=NOON, times=1)
        return execute(sql, *how)

    with connection.execute_wrapper(carried_out_by_another_worker):
        assert withdraw_plans(game.pk, [first.pk, second.pk], NOON, only_unused=True) == 1
    first.refresh_from_db()
    assert first.done_at == NOON
    assert [*Plan.objects.all()] == [first]
    with pytest.raises(Refusal, match="Plan 1 no longer exists"):
        withdraw(first, NOON)


def test_a_plan_that_cannot_be_given_is_answered_with_the_reason(game: Game, maryam: Account) -> None:
    plan_by_mail(game, 1, "plan allow 2")
    for line, why in (
        ("plan allow sepideeh", "as a plan"),
        ("plan allow seat-less", "as a plan"),
        ("Plan: allow سپیده", "Your plan 1 is about the same"),
        ("plan cancel 7", "You have no plan 7."),
        ("plan 7 allow all", "You have no plan 7."),
    ):
        answer = plan_by_mail(game, 1, line)
        assert answer.content().headline == "Your email changed nothing.", line
        assert why in text_of(answer)
    assert len(standing(maryam)) == 1


def test_an_answer_and_what_is_to_come_are_said_in_one_mail(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], two_player_setup="dealt")
    agree(game, plans="quick")
    mail = email_bytes("tax\nplan next-turn foreign aid\nplan allow all", maryam.email)
    send(mail, question_address(game, 1), envelope=maryam.email)
    (answer,) = notifications(maryam, "answer")
    assert answer.content().headline == "Your plans are set."
    assert [body for _, body in standing(maryam)] == [
        '{"type":"next-turn","move":{"type":"foreign-aid"}}',
        '{"type":"allow-others"}',
    ]
    play(game, "2 allow", "2 income", at=LATER)
    applied = Move.objects.filter(account=maryam, state="applied").order_by("first_event")
    assert [(move.body, bool(move.plan)) for move in applied] == [
        ('{"type":"tax"}', False),
        ('{"type":"foreign-aid"}', True),
    ]


@pytest.mark.parametrize("below", ["plan block steal duke", "plan 7 allow all"])
def test_with_a_plan_that_cannot_be_given_the_answer_above_it_is_not_given_either(
    game: Game, maryam: Account, below: str
) -> None:
    send(email_bytes(f"tax\n{below}", maryam.email), question_address(game, 1), envelope=maryam.email)
    (answer,) = notifications(maryam, "answer")
    assert answer.content().headline == "Your email changed nothing."
    assert not Move.objects.exists()
    assert not Plan.objects.exists()


def test_plans_below_an_answer_that_came_too_late_are_not_kept(game: Game, maryam: Account) -> None:
    late = game.open_questions.get(seat=1).due_at + SECOND
    mail = email_bytes("tax\nplan next-turn tax", maryam.email)
    send(mail, question_address(game, 1), at=late, envelope=maryam.email)
    (answer,) = notifications(maryam, "answer")
    assert answer.content().headline == "Your email changed nothing."
    assert not Plan.objects.exists()


def test_plans_stand_below_an_answer_that_cannot_be_resolved_yet(
    game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError

    monkeypatch.setitem(RULES, "coup", replace(RULES["coup"], decide=broken, play=broken))
    mail = email_bytes("tax\nplan next-turn tax", maryam.email)
    send(mail, question_address(game, 1), envelope=maryam.email)
    assert Move.objects.get().state == "received", "it is tried again"
    assert len(standing(maryam)) == 1


def test_a_persian_reader_plans_and_is_answered_in_persian(game: Game, sepideh: Account) -> None:
    agree(game, plans="quick")
    answer = plan_by_mail(game, 2, "پیش‌حرکت اجازه همه")
    assert answer.content().language == "fa"
    assert "هر کاری که علیه من نیست" in text_of(answer)
    play(game, "1 tax")
    assert [move.account for move in Move.objects.filter(plan__isnull=False)] == [sepideh]
    listed = plan_by_mail(game, 2, "پیش‌حرکت‌ها")
    assert "اجازه همه" in text_of(listed)
    assert "۱" in text_of(listed)


def test_what_was_answered_ahead_came_as_its_plan_did(game: Game) -> None:
    agree(game, plans="quick")
    plan_by_mail(game, 2, "plan allow all")
    play(game, "1 tax")
    assert Move.objects.get(plan__isnull=False).via == "mail"


def test_the_next_mail_says_which_plan_acted(maryam: Account, sepideh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    game = begin([maryam, sepideh], two_player_setup="dealt")
    agree(game, plans="quick")
    plan_by_mail(game, 1, "plan allow all")
    plan_by_mail(game, 1, "plan allow tax")
    play(game, "1 income", "2 tax", at=LATER)
    write_due(LATER)
    (turn,) = [
        notification
        for notification in notifications(maryam, "question")
        if notification.question == question_of(game, 1)
    ]
    assert "(Your plan: Allow this from anyone: tax.)" in text_of(turn)


def question_of(game: Game, seat: int) -> str:
    return str(game.open_questions.get(seat=seat).question)


def test_a_plan_that_came_in_time_answers_though_it_is_read_late(game: Game, sepideh: Account) -> None:
    play(game, "1 tax", at=NOON)
    due = game.open_questions.get(seat=2).due_at
    late = email_bytes("plan allow all", "sepideh@example.org")
    send(late, question_address(game, 2), at=due, envelope="sepideh@example.org")
    assert Move.objects.filter(plan__isnull=False).count() == 1


def test_a_plan_that_came_too_late_answers_what_is_asked_next(game: Game, sepideh: Account) -> None:
    play(game, "1 tax", at=NOON)
    due = game.open_questions.get(seat=2).due_at
    late = email_bytes("plan allow all", "sepideh@example.org")
    send(late, question_address(game, 2), at=due + SECOND, envelope="sepideh@example.org")
    assert Plan.objects.get().times == 0


def test_from_another_address_no_plan_is_given_or_shown(game: Game, maryam: Account, sepideh: Account) -> None:
    for line in ("plan allow all", "plans", "plan cancel all"):
        send(email_bytes(line, "sepideh@example.org"), seat_address(game, 1))
    assert not Plan.objects.exists()
    (doubt,) = notifications(maryam, "answer")
    assert "which isn’t your address" in text_of(doubt)
    assert notifications(sepideh, "answer") == []


def test_a_turn_mail_tells_how_to_plan_ahead(game: Game, maryam: Account, sepideh: Account) -> None:
    write_due(NOON)
    (turn,) = [notification for notification in notifications(maryam, "question") if notification.rendered]
    assert "“plans”" in text_of(turn)
    play(game, "1 income", at=NOON)
    write_due(NOON)
    (turn,) = [notification for notification in notifications(sepideh, "question") if notification.rendered]
    assert repr("«پیش‌حرکت‌ها»").strip("'") in text_of(turn)


def test_a_game_without_plans_says_so(with_fist: None, maryam: Account, sepideh: Account) -> None:
    table = fresh(create_fist(maryam, sepideh))
    for line in ("plans", "plan allow all"):
        assert "This game has no plans." in text_of(plan_by_mail(table, 1, line))
