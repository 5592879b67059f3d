"""The signs of health: their causes, who may see them, and the cost of their queries."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account
from config.core.database import shared_values
from config.server.health import forget_answer
from games.models import Game, Heartbeat, Move, OpenQuestion
from games.operations import health
from games.play import outages
from notifications import mail_outages, outbox, set_aside
from notifications.endpoints import Webhook
from notifications.models import Notification, RawMail, State
from notifications.set_aside import SetAside
from tests.games.operations.admin.conftest import browser
from tests.games.seated import NOON, begin

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
LATE = NOON + 3 * timedelta(days=1)
LONG_UP = timedelta(days=30)
GUIDE = Path(__file__).parents[4] / "docs" / "operating.md"


@pytest.fixture(autouse=True)
def others_are_well(db: None) -> None:
    """The other processes tell of nothing that is wrong."""
    for name in ("stream", "broker", "errors"):
        shared_values.share(name, 0)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    """A game with open questions, on a server whose worker is alive."""
    Heartbeat.objects.create(at=NOON)
    game = begin([maryam, bahareh])
    Notification.objects.all().delete()
    return game


def red(now: datetime = NOON) -> list[str]:
    Heartbeat.objects.update(at=now)
    return [sign.name for sign in health.signs(now, LONG_UP) if sign.red]


def test_the_page_names_the_time_zone_of_its_time(game: Game, dariush: Account) -> None:
    dariush.time_zone = "Asia/Tehran"
    dariush.save()
    with time_machine.travel(NOON, tick=False):
        page = browser(dariush).get("/admin/health/").content.decode()
    assert f"As of {NOON:%H:%M:%S} (UTC)" in page


def notification(state: State, account: Account, channel: str = "mail") -> Notification:
    return Notification.objects.create(
        key=str(uuid4()), account=account, reason="started", state=state, channel=channel, rendered=b"",
        created_at=NOON, next_attempt_at=NOON,
    )  # fmt: skip


def webhook(account: Account) -> Notification:
    hook = Webhook.objects.create(account=account, url="https://a.example", kinds=["question"], created_at=NOON)
    return outbox.add_message("webhooks", hook.pk, "question", NOON)


def mail(state: str) -> None:
    RawMail.objects.create(raw=b"", recipients=[], about=[], received_at=NOON, next_attempt_at=NOON, state=state)


def move(game: Game, state: str) -> None:
    Move.objects.create(game=game, seat=1, via="api", received_at=NOON, state=state)


WAITING: dict[str, Callable[[Game, Account], Any]] = {
    "moves": lambda game, maryam: move(game, "received"),
    "notifications": lambda game, maryam: notification(State.SCHEDULED, maryam),
    "mails-out": lambda game, maryam: notification(State.READY, maryam),
    "mail-outage": lambda game, maryam: mail_outages.begin(NOON),
    "pushes": lambda game, maryam: notification(State.READY, maryam, "push"),
    "webhooks": lambda game, maryam: webhook(maryam),
    "mails-in": lambda game, maryam: mail("received"),
    "sweep": lambda game, maryam: OpenQuestion.objects.update(due_at=NOON - health.GRACE),
}


@pytest.mark.parametrize("name", WAITING)
def test_what_waits_longer_than_it_may_is_red(game: Game, maryam: Account, name: str) -> None:
    assert red() == []
    WAITING[name](game, maryam)
    bound = next(queue.bound for queue in health.QUEUES if queue.name == name)
    assert red(NOON + timedelta(seconds=bound)) == []
    assert red(NOON + timedelta(seconds=bound + 1)) == [name]


def test_what_waits_for_its_hour_is_not_late(game: Game, maryam: Account) -> None:
    notification(State.SCHEDULED, maryam)
    webhook(maryam)
    Notification.objects.update(next_attempt_at=NOON + 2 * HOUR, held=True)
    assert red(NOON + HOUR) == []


def test_what_was_set_aside_is_red_until_somebody_settles_it(game: Game, maryam: Account) -> None:
    OpenQuestion.objects.all().delete()
    for kind in (SetAside.Kind.MOVE, SetAside.Kind.MAIL):
        set_aside.note(kind, 7, "", "KeyError in decide", NOON)
    notification(State.READY, maryam).set_back("refused", NOON, permanent=True)
    assert red(NOON + HOUR) == ["failed-moves", "failed-mails"]
    for number in range(20):
        notification(State.READY, maryam).set_back(f"refused {number}", NOON, permanent=True)
    assert red(NOON + 72 * HOUR) == ["failed-moves", "failed-mails", "failed-notifications"]
    assert red(NOON + 100 * 24 * HOUR) == ["failed-moves", "failed-mails"]
    set_aside.settle(set_aside.unsettled(), SetAside.Outcome.ACKNOWLEDGED, NOON)
    assert red(NOON + HOUR) == []


def test_one_webhook_that_takes_nothing_turns_no_sign_red(game: Game, maryam: Account) -> None:
    OpenQuestion.objects.all().delete()
    endpoint = webhook(maryam).endpoint
    assert endpoint is not None
    for _ in range(30):
        outbox.add_message("webhooks", endpoint, "question", NOON)
    for message in Notification.objects.all():
        message.set_back("no answer", NOON, permanent=True)
    assert SetAside.objects.count() == 31
    assert red(NOON + HOUR) == []


def test_a_stalled_game_is_a_sign_of_its_own_and_not_that_work_waits(game: Game) -> None:
    move(game, "received")
    OpenQuestion.objects.update(due_at=NOON)
    outages.begin(game.pk, KeyError(), NOON)
    assert red(NOON + HOUR) == ["stalled-games"]


def is_heart_red(now: datetime, up: timedelta = LONG_UP) -> bool:
    return next(sign.red for sign in health.signs(now, up) if sign.name == "heartbeat")


@pytest.mark.parametrize("side", [1, -1], ids=["late", "before the clock was set back"])
def test_a_heart_that_stands_still_is_red(game: Game, side: int) -> None:
    assert not is_heart_red(NOON + side * timedelta(seconds=90))
    assert is_heart_red(NOON + side * timedelta(seconds=91))


@pytest.mark.parametrize("beaten", [True, False], ids=["long ago", "never"])
def test_while_the_server_is_starting_its_heart_is_not_red(beaten: bool) -> None:
    if beaten:
        Heartbeat.objects.create(at=NOON)
    assert not is_heart_red(LATE, timedelta(seconds=90))
    assert is_heart_red(LATE, timedelta(seconds=91))


def test_the_signs_take_as_many_queries_however_many_games_there_are(
    maryam: Account, bahareh: Account, django_assert_num_queries: Any
) -> None:
    for _ in range(3):
        begin([maryam, bahareh])
    with django_assert_num_queries(4 + len(health.QUEUES) + len(health.COUNTED)):
        list(health.signs(LATE, LONG_UP))


def test_whoever_watches_learns_which_signs_are_red_and_no_more(game: Game) -> None:
    move(game, "received")
    with time_machine.travel(NOON + HOUR, tick=False):
        Heartbeat.objects.update(at=NOON + HOUR)
        shared_values.share("stream", 0)
        answer, strict = Client().get("/healthz"), Client().get("/healthz?strict")
    assert (answer.status_code, strict.status_code) == (200, 503)
    data = answer.json()
    assert (data["status"], data["red"], strict.json()["status"]) == ("ok", ["moves"], "red")
    assert data["signs"]["moves"] == {"red": True, "bound": 60}
    assert "3600" not in answer.content.decode()
    Move.objects.all().delete()
    forget_answer()
    with time_machine.travel(NOON + HOUR, tick=False):
        assert Client().get("/healthz?strict").status_code == 200


def test_many_requests_for_the_health_page_ask_the_database_once_a_second(
    monkeypatch: pytest.MonkeyPatch, db: None, django_assert_num_queries: Any
) -> None:
    first = Client().get("/healthz")
    with django_assert_num_queries(0):
        assert Client().get("/healthz").content == first.content
        assert Client().get("/healthz?strict").json()["signs"] == first.json()["signs"]
    monkeypatch.setattr("config.server.health.FRESH", -1)
    with CaptureQueriesContext(connection) as queries:
        Client().get("/healthz")
    assert queries


def test_the_operator_sees_every_sign_the_red_ones_first_and_players_see_nothing(
    game: Game, maryam: Account, dariush: Account
) -> None:
    move(game, "received")
    Heartbeat.objects.update(at=timezone.now())
    html = browser(dariush).get("/admin/health/").content.decode()
    row_ids = re.findall(r'<tr id="([\w-]+)">', html)
    assert sorted(row_ids) == sorted(sign.name for sign in health.signs(NOON, LONG_UP))
    assert row_ids[:3] == ["sweep", "moves", "tables"]
    assert "admin/health/" in browser(dariush).get("/admin/").content.decode()
    assert browser(maryam).get("/admin/health/", follow=True).status_code == 403
    assert Client().get("/admin/health/").status_code == 302


def test_a_missing_table_is_red_by_name(game: Game) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE notifications_rawmail RENAME COLUMN sender TO nobody")
    assert red() == ["tables"]
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE notifications_rawmail")
    answer = Client().get("/healthz?strict")
    assert (answer.status_code, answer.json()["red"]) == (503, ["tables"])


def test_the_guide_names_every_sign_with_its_bound() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (\d+)", GUIDE.read_text(), re.M))
    assert rows == {sign.name: str(int(sign.bound)) for sign in health.signs(NOON, LONG_UP)}
