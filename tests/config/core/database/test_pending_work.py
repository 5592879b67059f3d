"""Tests of work that is due and done in parts."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from config.core.work import do_due
from tests.slow_posting import TOOK, post_slowly

NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
Done = list[tuple[str, datetime]]


def work(kind: str, work_done: Done, *amounts: int) -> Callable[[datetime], int]:
    left = iter(amounts)

    def part(now: datetime) -> int:
        amount = next(left, 0)
        if amount:
            work_done.append((kind, now))
        return amount

    return part


def test_kinds_take_turns_until_nothing_is_due_and_each_part_has_the_time_at_which_it_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    post_slowly(monkeypatch, NOON)
    work_done: Done = []
    do_due(work("channels", work_done, 16, 16, 3), work("reminders", work_done), work("tournaments", work_done, 2))
    parts = [("channels", 0), ("tournaments", 2), ("channels", 3), ("channels", 6)]
    assert work_done == [(kind, NOON + number * TOOK) for kind, number in parts]


def test_work_that_is_due_for_ever_ends_and_the_other_kinds_have_their_turn() -> None:
    work_done: Done = []
    do_due(lambda now: 1, work("reminders", work_done, 2, 2))
    assert [kind for kind, _ in work_done] == ["reminders", "reminders"]
