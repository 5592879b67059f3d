"""The exporter for Prometheus: counters of all processes, signs of health, PostgreSQL and disks."""

from collections.abc import Iterator
from threading import Thread
from typing import Final

from django.conf import settings
from django.db import Error, connection
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config.core import clock, disks
from config.core.database import time_limits
from config.core.database.sql import find
from games import queries
from games.archive import waiting_times
from games.operations import health

_COLUMNS: Final = (
    ("bytes", "Bytes of the database."),
    ("connections", "Connections to the database."),
    ("commits", "Transactions that were committed, since the statistics began."),
    ("rollbacks", "Transactions that were rolled back, since the statistics began."),
    ("deadlocks", "Deadlocks, since the statistics began."),
    ("temporary_bytes", "Bytes of temporary files, since the statistics began."),
    ("blocks_hit", "Blocks found in memory, since the statistics began."),
    ("blocks_read", "Blocks read from the disk or the system, since the statistics began."),
    ("longest_transaction_seconds", "Age of the oldest transaction."),
    ("replica_bytes_behind", "Bytes that the slowest replica has still to replay."),
)


def serve(address: str, port: int) -> Thread:
    """Serve Prometheus, and return the thread."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # its library has types for the rest
    registry.register(StateCollector())
    _, thread = start_http_server(port, address, registry)
    return thread


class StateCollector(Collector):
    """A collector that reads the signs of health at each request."""

    def collect(self) -> Iterator[Metric]:
        """Yield the state of the database, all signs, and the disks."""
        try:
            with time_limits.limited():
                signs = list(health.signs(clock.now(), health.uptime()))
                metrics = [*_database(), *_signs(signs), *waiting(signs)]
            answers = True
        except Error:
            metrics, answers = [*_signs([health.database(answers=False), health.disk()])], False
        finally:
            connection.close()
        yield GaugeMetricFamily("darbar_database_up", "1 while the database answers.", float(answers))
        yield from metrics
        yield _disks()

    def describe(self) -> Iterator[Metric]:
        """Return nothing, because a registration needs no state."""
        yield from ()


def _signs(signs: list[health.Sign]) -> Iterator[Metric]:
    value = GaugeMetricFamily("darbar_sign", "Value of a sign of health: seconds, or a number.", labels=["sign"])
    bound = GaugeMetricFamily("darbar_sign_bound", "The bound above which a sign is red.", labels=["sign"])
    red = GaugeMetricFamily("darbar_sign_red", "1 where a sign is red.", labels=["sign"])
    for sign in signs:
        value.add_metric([sign.name], sign.value or 0)
        bound.add_metric([sign.name], sign.bound)
        red.add_metric([sign.name], float(sign.red))
    yield from (value, bound, red)


def _database() -> Iterator[Metric]:
    [row] = find(queries.DATABASE_FIGURES)
    for (name, meaning), value in zip(_COLUMNS, row, strict=True):
        yield GaugeMetricFamily(f"darbar_database_{name}", meaning, float(value))


def waiting(signs: list[health.Sign]) -> Iterator[Metric]:
    """Return the waiting time of last month's games by kind of question and cause."""
    if any(sign.red for sign in signs if sign.name in ("tables", "schema")):
        return
    spent = GaugeMetricFamily(
        "darbar_waited_seconds",
        "Seconds that the games that were over last month have waited for people.",
        labels=["rules", "kind", "cause"],
    )
    ended = GaugeMetricFamily(
        "darbar_waits",
        "Questions, or windows of them, that the games that were over last month have waited for.",
        labels=["rules", "kind", "ended_by"],
    )
    for (rules, kind), sums in waiting_times.sums_of_last_month(clock.now()).items():
        for cause, time in sums.spent.items():
            spent.add_metric([rules, kind, cause], time.total_seconds())
        ended.add_metric([rules, kind, "clock"], sums.timed_out)
        ended.add_metric([rules, kind, "answer"], sums.waits - sums.timed_out)
    yield from (spent, ended)


def _disks() -> Metric:
    free = GaugeMetricFamily("darbar_disk_free_bytes", "Bytes free on the disk of a folder.", labels=["folder"])
    for folder in settings.DISKS:
        if (left := disks.free(folder)) is not None:
            free.add_metric([str(folder)], left * 2**20)
    return free
