"""Only the owner of plans can distinguish two worlds: plans answer in one, the owner by hand in the other.

If plans are quick, the owner answers immediately. If they are private, the owner answers at the moments at which the
plans did. Until such a moment, the stream and all other channels send nothing more than without any plans.

The same game with the same seed is played in both worlds. Everything that other people can see or receive is compared
after every move, with its times, and so is the record at the end.
"""

import hashlib
import random
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from games.announcements.notify import write_due
from games.archive import ratings, records, usual_times
from games.engine import SPECTATOR, Notation, SeatNumber
from games.engine.chance import plan_chance
from games.engine.record import RESIGNATION, dump
from games.event_log import log_store
from games.models import AnswerTimes, Game, Move
from games.play import plans, timeouts
from games.play.resolve import resolve
from games.tables import stand_ins
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import show_log
from notifications.endpoints import StreamEvent
from notifications.models import Notification
from tests.games.api.conftest import client
from tests.games.seated import NOON, agree, begin, hear
from tests.games.unseen import RANDOM, world
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
OWNER = SeatNumber(3)
GIVEN = (
    "allow exchange",
    "challenge duke 2",
    "block foreign-aid duke 1",
    "block steal captain else allow",
    "if-challenged prove else concede captain",
    "if-blocked challenge",
)
MOVES = 12
Answer = tuple[SeatNumber, str, str]
"""A seat, its question and its answer in notation."""


def answer(game: Game, seat: SeatNumber, question: str, text: str, at: datetime) -> None:
    seat_row = game.seats.get(number=seat)
    move = Move.objects.create(
        game=game, seat=seat, account=seat_row.account, question=question, text=text, via="api", received_at=at
    )
    resolve(game.pk, at)
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED, (seat, text, move.code, move.phrase)


def plan(game: Game) -> list[Answer]:
    """Return the answers of plans, in order."""
    rules = log_store.rules_of(game)
    moves = Move.objects.filter(game=game, plan__isnull=False).order_by("first_event")
    return [
        (SeatNumber(move.seat), move.question, rules.text(msgspec.json.decode(move.body or "", type=rules.move_type)))
        for move in moves
    ]


def random_answer(game: Game, luck: random.Random, *, ends: bool) -> Answer:
    """Return a random answer to a question. It mostly allows the action."""
    rules, state = log_store.rules_of(game), log_store.position(fresh(game)).state
    by_hand = set(game.open_questions.filter(planned_at=None).values_list("question", flat=True))
    question = luck.choice([open_question for open_question in rules.questions(state) if open_question.id in by_hand])
    if ends:
        return question.seat, "", RESIGNATION
    moves = rules.legal_moves(state, question)
    move = moves[0] if question.kind != "turn" and luck.random() < 0.6 else luck.choice(moves)
    return question.seat, question.id, rules.text(move)


def say_next_turn(game: Game, account: Account, at: datetime) -> bool:
    """Let a player send the next turn with an answer during another turn. Return whether it was offered."""
    player_view = PlayerView(fresh(game), OWNER, account)
    offered = [turn for question in player_view.questions() for turn in player_view.second_answers(question)]
    for turn in offered[:1]:
        plans.store_plan(game.pk, account, Notation(turn.notation), at)
    return offered != []


class Eyes:
    """All observers except the owner: the other players, the owner's stand-in and a stranger."""

    def __init__(self, game: Game, others: list[Account], stranger: Account) -> None:
        self.game = game
        self.others = others
        self.programs: list[APIClient] = [client(account) for account in (*others, stranger)]
        self.found: list[Any] = []

    def look(self, at: datetime) -> None:
        """Note what can be seen now."""
        if len(self.found) % 30 == 0:
            write_due(at)
        game = fresh(self.game)
        rules, lines = log_store.rules_of(game), log_store.read(game)
        state = log_store.position(game).state
        for viewer in (SPECTATOR, SeatNumber(1), SeatNumber(2)):
            visible_events = [
                (event.number, event.event, event.at, event.via, event.seat) for event in show_log(rules, lines, viewer)
            ]
            self.found.append((visible_events, rules.view(state, viewer)))
        order = game.open_questions.exclude(seat=OWNER).order_by("question")
        self.found.append(list(order.values_list("question", "kind", "asked_at", "due_at", "remind_at", "bot")))
        self.found.append((game.version, game.shown, bytes(game.public_head) and len(lines)))

    def settle(self, at: datetime) -> list[Any]:
        """Return all observations as bytes: views, stream events, notifications and answers of the API."""
        write_due(at)
        failed = Notification.objects.filter(attempts__gt=0).values_list("key", flat=True)
        assert not failed, "what cannot be composed is tried again later, which is no difference between the worlds"
        notifications = Notification.objects.filter(account__in=self.others, rendered__isnull=False)
        for row in notifications.order_by("created_at", "key"):
            self.found.append((row.key, row.created_at, row.next_attempt_at, without_ids(bytes(row.rendered or b""))))
        self.found.append(self.notification_counts())
        for path in ("", "view/", "events/", "questions/", "plans/", "chat/"):
            for program in self.programs:
                got = program.get(f"/api/v1/games/{self.game.pk}/{path}")
                assert got.get("ETag", digest := f'"{hashlib.sha256(got.content).hexdigest()}"') == digest
                self.found.append((path, got.status_code, without_ids(got.content), "ETag" in got))
        return self.found

    def notification_counts(self) -> dict[Any, int]:
        """Return the stream events at each moment without questions that opened and closed, and the highest number
        then.
        """
        hidden = self.game.options["waiting"] == "hidden"
        numbers: dict[Any, int] = {}
        for signal in StreamEvent.objects.filter(account__in=self.others).order_by("xid", "id"):
            number = signal.data.pop("number", 0)
            question = signal.data.get("question", "")
            if (
                signal.kind == "closed"
                and numbers.pop((signal.account_id, signal.at, "question", question), None) is not None
            ):
                continue
            about = (signal.account_id, signal.at, signal.kind, question or str(signal.data))
            numbers[about] = max(number, numbers.get(about, 0)) if hidden else 0
        return numbers


def without_ids(content: bytes) -> str:
    """Return the bytes with random ids replaced by their order of appearance."""
    placeholders: dict[str, str] = {}
    return RANDOM.sub(lambda match: placeholders.setdefault(match[0], f"random {len(placeholders)}"), content.decode())


def usual(game: Game) -> list[Any]:
    """Return the public usual times of the players of a finished game."""
    assert AnswerTimes.objects.count() == 0, "while the game runs nothing is known"
    ratings.count(game.pk, NOON)
    return list(AnswerTimes.objects.order_by("account").values_list("account", "half_within", "most_within"))


class Script:
    """A game as chance has it: the moments at which something is answered, and what."""

    def __init__(self, game: Game, luck: random.Random) -> None:
        self.game, self.luck, self.at = game, luck, NOON
        self.lines: list[tuple[datetime, list[Answer]]] = []
        self.waited = 0
        """The number of times a plan answered later than it was asked."""

    def go_on(self) -> datetime:
        """Let a random player answer, or the plan whose time comes first."""
        waiting = self.game.open_questions.filter(planned_at__isnull=False).order_by("planned_at").first()
        before, self.at = len(plan(self.game)), self.at + MINUTE
        by_hand = self.game.open_questions.filter(planned_at=None).exists()
        lines: list[Answer] = []
        if (
            waiting
            and waiting.planned_at
            and (waiting.planned_at <= self.at or not by_hand or self.luck.random() < 0.4)
        ):
            self.at, self.waited = waiting.planned_at, self.waited + 1
            timeouts.answer_all(self.at)
        else:
            lines = [random_answer(self.game, self.luck, ends=len(self.lines) > MOVES)]
            answer(self.game, *lines[0], self.at)
        self.lines.append((self.at, [*lines, *plan(self.game)[before:]]))
        return self.at


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("waiting", "answers", "terms", "only_aimed", "seed"),
    [
        ("hidden", "first", "private", False, 4),
        ("number", "sealed", "quick", False, 8),
        ("number", "sealed", "private", True, 9),
        ("hidden", "first", "quick", False, 4),
    ],
)
def test_nobody_else_can_tell_a_plan_from_an_answer_by_hand(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account,
    waiting: str, answers: str, terms: str, only_aimed: bool, seed: int, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(usual_times, "FEWEST", 1)
    monkeypatch.setattr(
        "games.play.plans.plan_chance", lambda game_seed, game, question, _: plan_chance(game_seed, game, question, "")
    )
    game = begin([maryam, sepideh, bahareh], number=seed, waiting=waiting, answers=answers)
    agree(game, plans=terms)
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    hear([kaveh])
    stand_ins.name_stand_in(game.pk, bahareh, kaveh, NOON + timedelta(days=50), NOON)
    observations, planned_turns, script = [], 0, Script(game, random.Random(seed))
    with world():
        eyes = Eyes(game, [maryam, sepideh, kaveh], dariush)
        plans.set_only_aimed(game.pk, bahareh, only_aimed, "api", NOON)
        for text in GIVEN:
            plans.store_plan(game.pk, bahareh, Notation(text), NOON)
        while fresh(game).state == Game.State.RUNNING:
            planned_turns += say_next_turn(game, bahareh, script.at)
            eyes.look(script.go_on())
        observations.append(
            (eyes.settle(script.at), without_ids(dump(records.export_record(fresh(game)))), usual(game))
        )
        assert len(plan(game)) > 1, "plans have answered"
        assert planned_turns, "turns were said with an answer"
        assert Move.objects.filter(game=game, plan__contains="next-turn").exists(), "one of them took a turn"
        assert (script.waited > 0) == (terms == "private")
    with world():
        eyes = Eyes(game, [maryam, sepideh, kaveh], dariush)
        for at, lines in script.lines:
            for line in lines:
                answer(game, *line, at)
            eyes.look(at)
        observations.append(
            (eyes.settle(script.at), without_ids(dump(records.export_record(fresh(game)))), usual(game))
        )
    (with_plans, record, times), (without, same_record, same_times) = observations
    for here, there in zip(with_plans, without, strict=True):
        assert here == there
    assert record == same_record
    assert times == same_times


ALLOW = "allow all"


def arrived(game: Game, others: list[Account], stranger: Account, at: datetime) -> list[Any]:
    """Return everything that other players have received, with exact times, and their present views."""
    write_due(at)
    signals = StreamEvent.objects.filter(account__in=others).order_by("xid", "id")
    notifications = Notification.objects.filter(account__in=others).order_by("key")
    rules, lines = log_store.rules_of(game), log_store.read(fresh(game))
    paths = ("", "view/", "events/", "questions/", "chat/")
    return [
        list(signals.values_list("account", "at", "kind", "data")),
        list(notifications.values_list("key", "created_at", "next_attempt_at")),
        [(event.number, event.event, event.at) for event in show_log(rules, lines, SPECTATOR)],
        [
            without_ids(client(account).get(f"/api/v1/games/{game.pk}/{path}").content)
            for account in (*others, stranger)
            for path in paths
        ],
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("people", "options", "line", "planned_answers"),
    [
        (2, {"two_player_setup": "dealt"}, "1 tax", {2: ALLOW}),
        (3, {}, "1 tax", {3: "challenge duke"}),
        (3, {"answers": "sealed"}, "1 tax", {2: "challenge duke", 3: ALLOW}),
        (2, {"two_player_setup": "dealt"}, "1 foreign-aid", {2: "block foreign-aid duke"}),
        (3, {}, "1 tax", {3: ALLOW}),
        (3, {}, "1 tax", {2: ALLOW, 3: ALLOW}),
        (3, {}, "1 foreign-aid", {2: ALLOW, 3: "block foreign-aid duke"}),
        (3, {}, "1 steal 2", {2: "block steal captain", 3: "challenge captain"}),
        (3, {"waiting": "number"}, "1 tax", {3: ALLOW}),
        (3, {"waiting": "public"}, "1 tax", {2: "challenge duke", 3: ALLOW}),
    ],
)
def test_nothing_arrives_earlier_where_answers_are_planned(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account,
    people: int, options: dict[str, Any], line: str, planned_answers: dict[int, str],
) -> None:  # fmt: skip
    seated = [maryam, sepideh, bahareh][:people]
    others = [account for seat, account in enumerate(seated, 1) if seat not in planned_answers]
    game = begin(seated, number=7, **options)
    seat, _, text = line.partition(" ")
    acted_at = NOON + timedelta(minutes=1, microseconds=734_111)
    observations: list[list[Any]] = []
    answers: list[tuple[datetime, Answer | None]] = []
    with world():
        for number, notation in planned_answers.items():
            plans.store_plan(game.pk, seated[number - 1], Notation(notation), NOON)
        answer(game, SeatNumber(1), game.open_questions.get(seat=seat).question, text, acted_at)
        observations.append(arrived(game, others, dariush, acted_at))
        assert plan(game) == []
        while (row := game.open_questions.filter(planned_at__isnull=False).order_by("planned_at").first()) is not None:
            assert row.planned_at
            before = plan(game)
            timeouts.answer_all(row.planned_at)
            answers.append((row.planned_at, *plan(game)[len(before) :]))  # type: ignore[arg-type]
            observations.append(arrived(game, others, dariush, row.planned_at))
    assert answers
    with world():
        answer(game, SeatNumber(1), game.open_questions.get(seat=seat).question, text, acted_at)
        assert arrived(game, others, dariush, acted_at) == observations[0]
        for (at, by_hand), expected in zip(answers, observations[1:], strict=True):
            assert by_hand is not None
            answer(game, *by_hand, at)
            assert arrived(game, others, dariush, at) == expected
