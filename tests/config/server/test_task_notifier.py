"""Tasks sent again and again: one without arguments is sent once for all that came meanwhile."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from config.core.tasks import MIN_INTERVAL, TaskNotifier


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The tasks that reach the broker, as names and arguments."""
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(Celery, "send_task", lambda _, name, args=None, kwargs=None, **__: sent.append((name, args)))
    return sent


@pytest.fixture
def notifier() -> TaskNotifier:
    """A separate notifier. As Celery's current application it would be used by all following tests."""
    return TaskNotifier("test", set_as_current=False)


def test_a_task_is_sent_at_once_and_then_once_for_all_that_came_meanwhile(
    notifier: TaskNotifier, sent: list[Any]
) -> None:
    for _ in range(50):
        notifier.send_task("resolve")
    assert sent[0] == ("resolve", None)
    assert len(sent) < 50
    time.sleep(5 * MIN_INTERVAL)
    before = len(sent)
    assert before >= 2
    notifier.send_task("resolve")
    assert len(sent) == before + 1


def test_tasks_with_arguments_are_sent_each_time(notifier: TaskNotifier, sent: list[Any]) -> None:
    for number in range(5):
        notifier.send_task("play_bots", [number])
    assert sent == [("play_bots", [number]) for number in range(5)]


def test_tasks_of_other_names_do_not_wait_for_each_other(notifier: TaskNotifier, sent: list[Any]) -> None:
    notifier.send_task("resolve")
    notifier.send_task("compose_notifications")
    assert [name for name, _ in sent] == ["resolve", "compose_notifications"]


def output_of(program: str, data: Path) -> str:
    """Return the output of a separate Python process."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(data)}
    root = Path(__file__).parents[3]
    return subprocess.run(
        [sys.executable, "-c", program], cwd=root, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.slow
def test_whoever_may_write_to_the_database_rings_our_bells(tmp_path: Path) -> None:
    program = "import config, django; django.setup(); from celery import current_app; print(current_app.main)"
    assert output_of(program, tmp_path) == "darbar"


@pytest.mark.parametrize("module", ["config.server.runner", "config.server.web", "config.server.stream"])
@pytest.mark.slow
def test_who_only_looks_after_others_reads_neither_celery_nor_models(module: str, tmp_path: Path) -> None:
    program = (
        f"import sys, {module}; from django.conf import settings; settings.PORT;"
        " print({'celery.app', 'kombu', 'django.db.models'} & {*sys.modules})"
    )
    assert output_of(program, tmp_path) == "set()"
