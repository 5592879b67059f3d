"""Notes of requests: an id in the answer and the log, counters without people in them, and a sign where many fail."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from kombu import Connection

from config.core import metrics
from config.core.logs import REQUEST_ID, JsonFormatter, LineFormatter
from config.core.tasks import app
from config.server import request_log
from config.server.request_log import FEWEST, WINDOW, ErrorRate
from games import tasks
from games.operations import health

pytestmark = pytest.mark.django_db


def red() -> set[str]:
    return {sign.name for sign in health.signs(timezone.now(), timedelta()) if sign.red}


def test_half_of_all_requests_failing_is_red_and_a_few_failures_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_log, "ERROR_RATE", ErrorRate(lambda: 0))
    statuses = [200, 500] * FEWEST
    ask = request_log.request_log_middleware(lambda request: HttpResponse(status=statuses.pop()))
    for _ in range(2 * FEWEST - 2):
        ask(RequestFactory().get("/"))
    assert "errors" not in red()
    for _ in range(2):
        ask(RequestFactory().get("/"))
    assert "errors" in red()


def test_failures_of_more_than_a_minute_ago_do_not_count() -> None:
    now = 0.0
    rate = ErrorRate(lambda: now)
    for _ in range(FEWEST - 1):
        rate.count(failed=True)
    now = WINDOW + 1
    rate.count(failed=True)
    assert "errors" not in red()


def test_every_answer_has_an_id_and_a_proxys_is_kept(settings: Any) -> None:
    client = Client()
    headers = {"X-Request-ID": "from-the-proxy"}
    request_id = client.get("/healthz-not", headers=headers)["X-Request-ID"]
    assert len(request_id) == 16
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert client.get("/healthz-not", headers=headers)["X-Request-ID"] == "from-the-proxy"
    assert client.get("/healthz-not", headers={"X-Request-ID": "a\tb" * 9})["X-Request-ID"] != "a\tb" * 9


def test_the_log_has_the_id_and_a_line_for_each_request_where_that_is_wanted(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ACCESS_LOG = True
    with caplog.at_level(logging.INFO, "darbar.requests"):
        Client().get("/nothing/")
    (record,) = [record for record in caplog.records if record.name == "darbar.requests"]
    assert record.getMessage().startswith("GET /nothing/ 404 ")
    token = REQUEST_ID.set("0123456789abcdef")
    assert " darbar.requests [0123456789abcdef]: GET /nothing/" in LineFormatter().format(record)
    assert '"request": "0123456789abcdef"' in JsonFormatter().format(record)
    REQUEST_ID.reset(token)


def test_the_tasks_that_a_request_wakes_have_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    request_ids: list[str] = []
    monkeypatch.setattr(app, "check_broker", lambda: request_ids.append(REQUEST_ID.get()))
    token = REQUEST_ID.set("0123456789abcdef")
    sent = app.send_task("games.tasks.nothing", ["an argument"])
    REQUEST_ID.reset(token)
    with app.connection_for_read() as connection:
        message = connection.SimpleQueue("celery").get(timeout=5)
        while message.headers["id"] != sent.id:
            message = connection.SimpleQueue("celery").get(timeout=5)
    tasks.check_broker.push_request(**message.headers)  # as a worker does
    tasks.check_broker()
    tasks.check_broker.pop_request()
    assert request_ids == ["0123456789abcdef"]


def test_counters_name_routes_and_never_what_was_asked_for() -> None:
    def counted(route: str, method: str = "GET") -> float:
        return metrics.REQUESTS.labels(route, method, "404")._value.get()

    before = counted("none"), counted("none", "other")
    Client().get("/secret-of-maryam/")
    Client().generic("SECRET", "/secret-of-maryam/")
    assert (counted("none"), counted("none", "other")) == (before[0] + 1, before[1] + 1)


def test_a_broker_that_does_not_answer_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    app.check_broker()
    assert "broker" not in red()
    monkeypatch.setattr(app, "connection_for_write", lambda: Connection("redis://127.0.0.1:1/0"))
    app.check_broker()
    assert "broker" in red()
