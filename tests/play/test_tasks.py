"""The bells: what rings, and that a broker that is down stops nothing."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from celery import current_app
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Account
from games import tasks
from games.engine import Seat
from games.models import Game, Move
from games.play import addressing
from games.post import arrival
from games.rules.registry import RULES
from notifications import signalling
from notifications.endpoints import Delivery, Webhook
from notifications.models import Letter, State
from notifications.turns import FewAtATime
from tests.notifications.letters import posted
from tests.third_game import fist
from tests.third_game.table import NOON, fresh, open_table, sent, state, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The bells that ring, instead of the broker's."""
    bells: list[tuple[Any, ...]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, ids=(), **_: bells.append((name, *ids)))
    return bells


def test_a_stored_move_rings_and_says_nothing(
    maryam: Account, bahareh: Account, rung: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    game = open_table(maryam, bahareh)
    with django_capture_on_commit_callbacks(execute=True):
        sent(game, 1, "claim 3")
    assert rung == [("games.tasks.resolve_moves",)]


def test_a_question_to_a_house_player_rings_for_it(
    maryam: Account, rung: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    game = open_table(maryam, house=1, now=timezone.now())
    move = sent(game, 1, f"claim {truth(game, 1)}", timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        tasks.resolve_moves()
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert ("games.tasks.play_house", str(game.id)) in rung
    tasks.play_house(str(game.id))
    assert state(game).turn == 2 or fresh(game).state == Game.State.OVER


def test_every_bell_of_the_clock_may_ring_at_any_time(maryam: Account, bahareh: Account) -> None:
    open_table(maryam, bahareh, now=timezone.now() - timedelta(days=1))
    current_app.loader.import_default_modules()
    for _ in range(2):
        for entry in current_app.conf.beat_schedule.values():
            if entry["task"].startswith("games."):
                current_app.tasks[entry["task"]]()


def test_a_broker_that_is_down_fails_no_request(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def down(*_: Any, **__: Any) -> None:
        raise OperationalError("nobody answers")

    monkeypatch.setattr(current_app, "send_task", down)
    game = open_table(maryam, bahareh)
    with django_capture_on_commit_callbacks(execute=True):
        assert sent(game, 1, "claim 3").state == Move.State.RECEIVED


def test_what_goes_wrong_is_logged_without_what_it_says(
    maryam: Account, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = open_table(maryam, house=1, now=timezone.now())

    def broken(*_: Any) -> None:
        raise KeyError("canary: the duke of seat 2")

    sent(game, 1, "claim 3", timezone.now())
    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, questions=broken))
    tasks.resolve_moves()
    tasks.play_house(str(game.id))
    tasks.sweep()
    assert "KeyError in broken" in caplog.text
    assert "canary" not in caplog.text


def letter_by(channel: str) -> Callable[[Account], None]:
    """A letter that is due on this channel."""

    def begin(account: Account) -> None:
        posted(account)
        Letter.objects.update(channel=channel)

    return begin


def mail_comes(account: Account) -> None:
    arrival.receive(b"\n", account.email, [addressing.of_seat(uuid4(), Seat(1))], NOON)


def webhook_waits(account: Account) -> None:
    due = {"next_attempt_at": NOON}
    webhook = Webhook.objects.create(account=account, url="https://a.example", kinds=[], created_at=NOON, **due)
    Delivery.objects.create(public_id=uuid4(), webhook=webhook, kind="test", data={}, at=NOON, **due)


@pytest.mark.parametrize(
    ("begin", "bells"),
    [
        (lambda account: None, []),
        (mail_comes, ["games.post.tasks.read_mail"]),
        (letter_by("mail"), ["notifications.tasks.deliver_letters"]),
        (letter_by("push"), ["notifications.tasks.dispatch_letters"]),
        (webhook_waits, [signalling.POSTING]),
    ],
    ids=["nothing", "mail", "letter", "push", "webhook"],
)
def test_a_tick_rings_for_what_waits_and_for_nothing_else(
    maryam: Account,
    rung: list[Any],
    begin: Callable[[Account], None],
    bells: list[str],
    django_capture_on_commit_callbacks: Any,
) -> None:
    begin(maryam)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.ring_for_others()
    assert rung == [(bell,) for bell in bells]


def test_what_a_tick_rings_for_is_not_heard_when_the_next_has_rung(
    maryam: Account, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    patience: list[float | None] = []
    monkeypatch.setattr(current_app, "send_task", lambda *_, expires=None: patience.append(expires))
    mail_comes(maryam)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.ring_for_others()
    assert patience == [tasks.PATIENCE]


def test_what_is_done_one_at_a_time_is_done_once_more_for_all_who_came_meanwhile() -> None:
    begun, go, done = threading.Event(), threading.Event(), list[int]()

    def work() -> None:
        begun.set()
        go.wait(10)
        done.append(threading.get_ident())

    bell = FewAtATime(work)
    first = threading.Thread(target=bell)
    first.start()
    assert begun.wait(10)
    bell()
    bell()
    assert done == [], "nobody waits for the one who is at it"
    go.set()
    first.join(10)
    assert done == [first.ident, first.ident]
    bell()
    assert done[2:] == [threading.get_ident()]


def test_what_waits_for_others_may_be_done_by_two_and_by_no_more() -> None:
    both, go, done = threading.Barrier(3), threading.Event(), list[int]()

    def work() -> None:
        if not go.is_set():
            both.wait(10)
            go.wait(10)
        done.append(threading.get_ident())

    bell = FewAtATime(work, most=2)
    threads = [threading.Thread(target=bell) for _ in range(2)]
    for thread in threads:
        thread.start()
    both.wait(10)
    bell()
    assert done == [], "nobody waits for the two who are at it"
    go.set()
    for thread in threads:
        thread.join(10)
    assert len(done) == 3
    assert set(done) <= {thread.ident for thread in threads}


def test_what_went_wrong_once_is_done_again_at_the_next_bell() -> None:
    outcomes = iter([KeyError(), None])

    def work() -> None:
        if outcome := next(outcomes):
            raise outcome

    bell = FewAtATime(work)
    with pytest.raises(KeyError):
        bell()
    bell()
    assert next(outcomes, "all done") == "all done"


def test_what_goes_wrong_with_one_bell_of_a_tick_stops_no_other(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    open_table(maryam, bahareh, now=timezone.now())
    monkeypatch.setattr(tasks, "WATCH", None)
    tasks.tick()
    assert "games.tasks.sweep has failed: AttributeError" in caplog.text
    assert Letter.objects.filter(state=State.READY).exists()
