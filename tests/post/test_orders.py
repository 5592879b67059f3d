"""Standing orders by mail: given, listed, changed and taken back, each confirmed by a letter."""

from urllib.parse import quote

import pytest
from django.db.models import Q
from msgspec.structs import replace

from accounts.models import Account
from games.announcements.notify import write_due
from games.engine import SeatNumber
from games.mail import CancelOrder, Command, Order, Orders, Refused, Several, Written
from games.mail import Move as MoveCommand
from games.models import Game, Heartbeat, Move, StandingOrder
from games.rules.coup import moves as m
from games.rules.coup import plans as o
from games.rules.registry import RULES
from games.text import links
from notifications.models import Letter
from tests.play.seated import NOON, begin, play
from tests.post.tables import GRAVEYARD, TURN, Asked
from tests.post.test_road import LATER, SECOND, letters, question_address, send, text_of, written
from tests.third_game.table import create_game, fresh, with_fist

__all__ = ["with_fist"]


def reading(*lines: str, asked: Asked = TURN) -> Command:
    return asked.read(Written((lines,)))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("order allow all", o.AllowOthers()),
        ("Order: Allow ALL.", o.AllowOthers()),
        ("دستور اجازه همه", o.AllowOthers()),
        ("order allow 2", o.Allow(player=SeatNumber(2))),
        ("order allow sepideh", o.Allow(player=SeatNumber(2))),
        ("order allow foreign aid", o.Allow(action="foreign-aid")),
        ("order allow 2 tax", o.Allow(player=SeatNumber(2), action="tax")),
        ("دستور اجازه مالیات بهاره", o.Allow(player=SeatNumber(3), action="tax")),
        ("order challenge duke", o.Challenge("duke")),
        ("order challenge duke kaveh", o.Challenge("duke", SeatNumber(4))),
        ("دستور: چالش بزرگ‌زاده ۴", o.Challenge("duke", SeatNumber(4))),
        ("order block steal captain", o.Block("steal", "captain")),
        ("Order: block foreign aid: duke", o.Block("foreign-aid", "duke")),
        ("order block kaveh contessa assassinate", o.Block("assassinate", "contessa", SeatNumber(4))),
        ("دستور مقابله باج‌گیری فرمانده ۲", o.Block("steal", "captain", SeatNumber(2))),
        ("order if challenged: prove, else concede captain", o.IfChallenged("captain")),
        ("دستور اگر چالش: اثبات، وگرنه اعتراف فرمانده", o.IfChallenged("captain")),
        ("order if-blocked challenge", o.IfBlocked(challenge=True)),
        ("order if blocked: allow", o.IfBlocked(challenge=False)),
        ("دستور اگر‌مقابله اجازه", o.IfBlocked(challenge=False)),
    ],
)
def test_an_order_is_understood_in_both_languages(line: str, order: o.AnyOrder) -> None:
    command = reading(line)
    assert isinstance(command, Order), command
    assert (command.number, command.order) == (None, order)


def test_a_number_before_it_says_which_order_it_takes_the_place_of() -> None:
    for line in ("order 3 allow all", "order 3: allow all", "دستور ۳ اجازه همه"):
        command = reading(line)
        assert isinstance(command, Order)
        assert (command.number, command.order) == (3, o.AllowOthers())


def test_lists_and_cancellations_are_understood_in_both_languages() -> None:
    for line in ("orders", "Orders.", "order", "دستورها", "دستور‌ها", "دستور ها", "دستور"):
        assert reading(line) == Orders(), line
    for line in ("order cancel 12", "دستور لغو ۱۲"):
        assert reading(line) == CancelOrder(12)
    for line in ("order cancel all", "دستور لغو همه"):
        assert reading(line) == CancelOrder(None)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("order dance", "cannot be read as an order"),
        ("order 3", "cannot be read as an order"),
        ("order allow", "Say whom you allow"),
        ("order allow 1", "what you do yourself"),
        ("order allow 7", "no seat 7"),
        ("order allow 2 3", "cannot be read as an order"),
        ("order if-challenged prove", "both halves or none"),
        ("order if-challenged concede duke", "both halves or none"),
        ("order challenge inquisitor", "no character"),
        ("order next-turn 3", "cannot be read as an order"),
        ("order cancel", "order cancel 2"),
        ("order cancel the second", "order cancel 2"),
        ("order resign yes", "cannot be read as an order"),
    ],
)
def test_nonsense_is_asked_back_with_its_reason(line: str, why: str) -> None:
    command = reading(line)
    assert isinstance(command, Refused), command
    assert why in str(command.phrase)


def test_an_answer_and_orders_stand_on_lines_of_their_own() -> None:
    several = reading("income", "order next-turn tax", "Order: block steal captain", "", "I never know what to do.")
    assert isinstance(several, Several), several
    assert several.move is not None
    assert [each.order for each in several.orders] == [o.NextTurn(m.Tax()), o.Block("steal", "captain")]
    twice = reading("order next-turn tax", "order next-turn tax")
    assert isinstance(twice, Several)
    assert (twice.move, len(twice.orders)) == (None, 2), "for two turns"


def test_a_mail_says_one_thing_and_its_orders() -> None:
    for lines in (
        ("order allow all", "income"),
        ("income", "orders"),
        ("income", "order cancel 2"),
        ("income", "order a pizza for me"),
        ("income", "", "order allow all"),
        ("orders", "order allow all"),
        ("order allow all", "I shall resign"),
        ("income", "order allow all", "tax"),
        ("income", "as you like it,", "order allow all"),
        ("income", "order next-turn tax", "", "order next-turn tax"),
        ("income", "order allow \u202ella\u202c"),
        ("income", "\u202ella wolla redro\u202c"),
    ):
        assert isinstance(reading(*lines), Refused), lines
    assert isinstance(reading("income", "", "order a pizza for me"), MoveCommand), "prose is not an order"


def test_forms_of_a_mail_must_give_the_same_order() -> None:
    assert isinstance(TURN.read(Written((("order allow tax 2",), ("order allow 2 tax",)))), Order)
    assert isinstance(TURN.read(Written((("order allow 2",), ("order allow 3",)))), Refused)


def test_a_turn_in_the_graveyard_is_ordered_ahead() -> None:
    view = GRAVEYARD.rules.view(GRAVEYARD.state, SeatNumber(2))
    ahead = GRAVEYARD.rules.orders.parse(view, SeatNumber(2), "نوبت بعد نبش قبر ۵ ۲", {})
    assert GRAVEYARD.rules.orders.text(ahead) == "next-turn dig 2 5"
    assert isinstance(reading("order allow all", asked=GRAVEYARD), Refused)


def order_by_mail(game: Game, seat: int, line: str) -> Letter:
    """What is answered to a mail to a seat."""
    account = game.seats.get(number=seat).account
    before = [letter.pk for letter in letters(account, "answer")]
    send(written(line, account.email), links.of_seat(game.id, SeatNumber(seat)), envelope=account.email)
    return Letter.objects.get(~Q(pk__in=before), account=account, reason="answer")


def standing(account: Account) -> list[tuple[int, str]]:
    return list(StandingOrder.objects.filter(account=account).order_by("number").values_list("number", "body"))


def test_an_order_is_given_listed_changed_and_taken_back_by_mail(game: Game, maryam: Account) -> None:
    given = order_by_mail(game, 1, "order allow 2")
    assert given.written().headline == "Your order was understood."
    assert "1. allow 2: Allow whatever" in text_of(given)
    order_by_mail(game, 1, "order if-blocked allow")
    changed = order_by_mail(game, 1, "order 1 allow all")
    assert "1. allow all: Allow everything that is not aimed at me." in text_of(changed)
    listed = order_by_mail(game, 1, "orders")
    for line in ("1. allow all:", "2. if-blocked allow:", "order cancel 2", "order challenge duke 2"):
        assert line in text_of(listed), line
    assert standing(maryam) == [(1, '{"type":"allow-others"}'), (2, '{"type":"if-blocked","challenge":false}')]
    taken = order_by_mail(game, 1, "order cancel 2")
    assert taken.written().headline == "Your order was taken back: you are asked yourself again."
    order_by_mail(game, 1, "order challenge duke")
    assert [number for number, _ in standing(maryam)] == [1, 3], "a number is given once"
    order_by_mail(game, 1, "order cancel all")
    assert standing(maryam) == []
    assert not Move.objects.exists()


def test_an_order_that_cannot_be_given_is_answered_with_the_reason(game: Game, maryam: Account) -> None:
    order_by_mail(game, 1, "order allow 2")
    for line, why in (
        ("order allow sepideeh", "cannot be read as an order"),
        ("order allow seat-less", "cannot be read as an order"),
        ("Order: allow سپیده", "Your order 1 is about the same"),
        ("order cancel 7", "You have no order 7."),
        ("order 7 allow all", "You have no order 7."),
    ):
        answer = order_by_mail(game, 1, line)
        assert answer.written().headline == "Your mail changed nothing.", line
        assert why in text_of(answer)
    assert len(standing(maryam)) == 1


def test_an_answer_and_what_is_to_come_are_said_in_one_mail(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], two_player_setup="dealt")
    mail = written("tax\norder next-turn foreign aid\norder allow all", maryam.email)
    send(mail, question_address(game, 1), envelope=maryam.email)
    (answer,) = letters(maryam, "answer")
    assert answer.written().headline == "Your orders were understood."
    assert [body for _, body in standing(maryam)] == [
        '{"type":"next-turn","move":{"type":"foreign-aid"}}',
        '{"type":"allow-others"}',
    ]
    play(game, "2 allow", "2 income", at=LATER)
    applied = Move.objects.filter(account=maryam, state="applied").order_by("first_event")
    assert [(move.body, bool(move.obeyed)) for move in applied] == [
        ('{"type":"tax"}', False),
        ('{"type":"foreign-aid"}', True),
    ]


@pytest.mark.parametrize("below", ["order block steal duke", "order 7 allow all"])
def test_with_an_order_that_cannot_be_given_the_answer_above_it_is_not_given_either(
    game: Game, maryam: Account, below: str
) -> None:
    send(written(f"tax\n{below}", maryam.email), question_address(game, 1), envelope=maryam.email)
    (answer,) = letters(maryam, "answer")
    assert answer.written().headline == "Your mail changed nothing."
    assert not Move.objects.exists()
    assert not StandingOrder.objects.exists()


def test_orders_below_an_answer_that_came_too_late_are_not_kept(game: Game, maryam: Account) -> None:
    late = game.open_questions.get(seat=1).due_at + SECOND
    mail = written("tax\norder next-turn tax", maryam.email)
    send(mail, question_address(game, 1), at=late, envelope=maryam.email)
    (answer,) = letters(maryam, "answer")
    assert answer.written().headline == "Your mail changed nothing."
    assert not StandingOrder.objects.exists()


def test_orders_stand_below_an_answer_that_cannot_be_judged_yet(
    game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError

    monkeypatch.setitem(RULES, "coup", replace(RULES["coup"], decide=broken, play=broken))
    mail = written("tax\norder next-turn tax", maryam.email)
    send(mail, question_address(game, 1), envelope=maryam.email)
    assert Move.objects.get().state == "received", "it is tried again"
    assert len(standing(maryam)) == 1


def test_a_persian_reader_orders_and_is_answered_in_persian(game: Game, sepideh: Account) -> None:
    answer = order_by_mail(game, 2, "دستور اجازه همه")
    assert answer.written().language == "fa"
    assert "هر چه را که متوجه من نیست" in text_of(answer)
    play(game, "1 tax")
    assert [move.account for move in Move.objects.filter(obeyed__isnull=False)] == [sepideh]
    listed = order_by_mail(game, 2, "دستورها")
    assert "allow all" in text_of(listed)
    assert "۱" in text_of(listed)


def test_what_was_answered_ahead_came_as_its_order_did(game: Game) -> None:
    order_by_mail(game, 2, "order allow all")
    play(game, "1 tax")
    assert Move.objects.get(obeyed__isnull=False).via == "mail"


def test_the_next_mail_says_which_order_acted(maryam: Account, sepideh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    game = begin([maryam, sepideh], two_player_setup="dealt")
    order_by_mail(game, 1, "order allow all")
    order_by_mail(game, 1, "order allow tax")
    play(game, "1 income", "2 tax", at=LATER)
    write_due(LATER)
    (turn,) = [letter for letter in letters(maryam, "question") if letter.question == question_of(game, 1)]
    assert "(By your standing order: Allow this, whoever does it: tax.)" in text_of(turn)


def question_of(game: Game, seat: int) -> str:
    return str(game.open_questions.get(seat=seat).question)


def test_an_order_that_came_in_time_answers_though_it_is_read_late(game: Game, sepideh: Account) -> None:
    play(game, "1 tax", at=NOON)
    due = game.open_questions.get(seat=2).due_at
    late = written("order allow all", "sepideh@example.org")
    send(late, question_address(game, 2), at=due, envelope="sepideh@example.org")
    assert Move.objects.filter(obeyed__isnull=False).count() == 1


def test_an_order_that_came_too_late_answers_what_is_asked_next(game: Game, sepideh: Account) -> None:
    play(game, "1 tax", at=NOON)
    due = game.open_questions.get(seat=2).due_at
    late = written("order allow all", "sepideh@example.org")
    send(late, question_address(game, 2), at=due + SECOND, envelope="sepideh@example.org")
    assert StandingOrder.objects.get().times == 0


def test_from_another_address_no_order_is_given_or_shown(game: Game, maryam: Account, sepideh: Account) -> None:
    for line in ("order allow all", "orders", "order cancel all"):
        send(written(line, "sepideh@example.org"), links.of_seat(game.id, SeatNumber(1)))
    assert not StandingOrder.objects.exists()
    (doubt,) = letters(maryam, "answer")
    assert "nobody can be sure" in text_of(doubt)
    assert letters(sepideh, "answer") == []


def test_a_turn_mail_tells_how_to_answer_ahead(game: Game, maryam: Account, sepideh: Account) -> None:
    write_due(NOON)
    (turn,) = [letter for letter in letters(maryam, "question") if letter.notice]
    assert "body=orders" in text_of(turn)
    assert "Write orders to see what is answered for you ahead" in text_of(turn)
    play(game, "1 income", at=NOON)
    write_due(NOON)
    (turn,) = [letter for letter in letters(sepideh, "question") if letter.notice]
    assert f"body={quote('دستورها')}" in text_of(turn)


def test_a_game_without_orders_says_so(with_fist: None, maryam: Account, sepideh: Account) -> None:
    table = fresh(create_game(maryam, sepideh))
    for line in ("orders", "order allow all"):
        assert "This game has no standing orders." in text_of(order_by_mail(table, 1, line))
