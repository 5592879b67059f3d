"""Traces: from a move at the door over the tasks of workers to the email, without what a player may hide."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.test import Client
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from accounts.models import Account
from config.core import clock, traces
from config.core.tasks import app
from config.server import trace_export
from games.announcements.notify import write_due
from notifications import deliver
from tests.games.api.conftest import client
from tests.server.darbar import ROOT
from tests.third_game.table import create_fist, with_fist

__all__ = ["with_fist"]
TOLD = {"darbar.request", "darbar.status", "darbar.games", "darbar.reason", "darbar.channel", "error.type"}


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[ReadableSpan]]:
    """The spans that this process would send."""
    in_memory_span_exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(in_memory_span_exporter))
    monkeypatch.setattr(traces.SWITCH, "tracing", trace_export.OpenTelemetry(provider.get_tracer("darbar")))
    return lambda: list(in_memory_span_exporter.get_finished_spans())


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Does the tasks that were sent, and those that they send, as a worker does."""
    sent: list[tuple[str, Any, dict[str, Any]]] = []

    def keep(_: Celery, name: str, args: Any = None, kwargs: Any = None, **options: Any) -> None:
        sent.append((name, args or (), options["headers"]))

    app.loader.import_default_modules()
    monkeypatch.setattr(Celery, "send_task", keep)
    monkeypatch.setattr("config.core.tasks.FIRST_INTERVAL", 0)

    def do_all() -> None:
        while sent:
            name, args, headers = sent.pop(0)
            task = app.tasks[name]
            task.push_request(**headers)
            task(*args)
            task.pop_request()

    return do_all


@pytest.mark.django_db(transaction=True)
def test_a_trace_leads_from_a_move_at_the_door_over_workers_to_the_email(
    maryam: Account, bahareh: Account, spans: Callable[[], list[ReadableSpan]], work: Callable[[], None]
) -> None:
    game = create_fist(maryam, bahareh, now=clock.now())
    work()
    program = client(maryam)
    (question,) = program.get(f"/api/v1/games/{game.id}/questions/").json()["results"]
    before = len(spans())
    data = {"question": question["id"], "text": "claim 3"}
    answer = program.post(f"/api/v1/games/{game.id}/moves/", data, format="json")
    assert answer.status_code == 202
    work()
    trace = spans()[before:]
    door = next(span for span in trace if span.parent is None)
    assert door.name.startswith("POST /api/v1/games/<")
    assert door.attributes == {"darbar.request": answer["X-Request-ID"], "darbar.status": 202}
    names = [span.name for span in trace]
    for name in (
        "task games.tasks.resolve_moves", "change games", "task games.tasks.compose_notifications",
        "compose notification", "task notifications.tasks.deliver_notifications", "deliver notification",
    ):  # fmt: skip
        assert name in names, names
    assert {span.context.trace_id for span in trace} == {door.context.trace_id}
    text = "".join(span.to_json() for span in trace)
    assert {key for span in trace for key in span.attributes or ()} <= TOLD
    assert not any(span.events for span in trace)
    for secret in (str(game.id), game.code, "claim 3", "Maryam", "bahareh@example.org", bytes(game.seed).hex()):
        assert secret not in text


@pytest.mark.django_db(transaction=True)
def test_an_email_that_a_tick_writes_much_later_is_in_the_trace_that_ordered_it(
    maryam: Account, bahareh: Account, spans: Callable[[], list[ReadableSpan]], work: Callable[[], None]
) -> None:
    with traces.begin_trace("request"):
        create_fist(maryam, bahareh, now=clock.now())
    write_due(clock.now())
    deliver.deliver_due(clock.now())
    (door,) = [span for span in spans() if span.parent is None]
    sent = [span for span in spans() if span.name in ("compose notification", "deliver notification")]
    assert {span.name for span in sent} == {"compose notification", "deliver notification"}
    assert {span.context.trace_id for span in sent} == {door.context.trace_id}


def test_an_error_is_told_by_its_kind_alone(spans: Callable[[], list[ReadableSpan]]) -> None:
    with pytest.raises(ValueError, match="duke"), traces.begin_trace("request"):
        raise ValueError("duke and contessa")
    (span,) = spans()
    assert span.attributes == {"error.type": "ValueError"}
    assert not span.events
    assert "duke" not in span.to_json()


@pytest.mark.django_db
def test_what_nobody_came_for_begins_no_trace_and_a_strangers_header_is_not_followed(
    spans: Callable[[], list[ReadableSpan]],
) -> None:
    write_due(clock.now())
    with traces.span("compose notification"), traces.follow(None, "task"):
        assert traces.carrier() is None
    Client().get("/healthz")
    assert spans() == []
    Client().get("/nothing/", headers={"traceparent": "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"})
    (span,) = spans()
    assert span.name == "GET none"
    assert span.parent is None
    assert span.context.trace_id != 0x0123456789ABCDEF0123456789ABCDEF


@pytest.mark.slow
def test_without_a_collector_nothing_is_kept_and_no_library_is_loaded(tmp_path: Path) -> None:
    loaded = "import sys, django; django.setup(); import games.tasks; print('opentelemetry' in sys.modules)"
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path)}
    completed = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert completed.stdout == "False\n", completed.stderr
    assert traces.SWITCH.tracing is None
    assert traces.begin_trace("request") is traces.span("resolve", games=1) is traces.follow(None, "task")
    assert traces.carrier() is None
