"""Tests of what Prometheus reads of a real server, and the files that speak of it: every metric they name is there."""

import json
import re
from typing import Any

import httpx
import yaml
from prometheus_client import REGISTRY

from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player
from tests.server.test_restore import begin_game

DEPLOY = ROOT / "deploy"


def metrics(server: Darbar) -> str:
    return httpx.get(f"http://localhost:{server.environment['METRICS_PORT']}/metrics", timeout=30).text


def value(metrics: str, sample: str) -> float:
    """Return the value of a sample, or 0 without one."""
    match = re.search(rf"^{re.escape(sample)} (\S+)$", metrics, re.M)
    return float(match[1]) if match else 0.0


def expressions() -> list[str]:
    """All that the dashboard and the alerts ask Prometheus."""
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())["groups"][0]["rules"]
    panels: list[dict[str, Any]] = json.loads((DEPLOY / "grafana" / "darbar.json").read_text())["panels"]
    return [rule["expr"] for rule in rules] + [target["expr"] for panel in panels for target in panel["targets"]]


def test_a_server_tells_prometheus_of_its_work_and_nobody_of_anybody(running: Darbar, somebody: str) -> None:
    moves = 'darbar_moves_total{outcome="applied",via="api"}'
    before = value(metrics(running), moves)
    with Player(running, somebody) as player:
        game = begin_game(player)
        player.answer(game, "pick duke")
        metrics_text = metrics(running)
        assert value(metrics_text, moves) == before + 1
        assert (
            value(metrics_text, 'darbar_requests_total{method="GET",route="/api/v1/games/<uuid:game>/",status="200"}')
            >= 0
        )
        assert value(metrics_text, "darbar_database_up") == 1
        assert value(metrics_text, "darbar_database_bytes") > 1_000_000
        assert re.search(r'^darbar_disk_free_bytes\{folder="[^"]+"\} \d', metrics_text, re.M)
        assert 'darbar_sign_red{sign="stream"} 0.0' in metrics_text
        assert player.email not in metrics_text
        assert game not in metrics_text
        assert len(re.findall(r"^darbar_requests_total", metrics_text, re.M)) >= 3
        assert 'channel="mail",outcome="sent"' in metrics_text
        assert 'darbar_sign_red{sign="heartbeat"} 0.0' in metrics_text


def test_the_dashboard_and_the_alerts_ask_for_what_there_is(running: Darbar) -> None:
    counted = {metric.name for metric in REGISTRY.collect()}  # also what nothing has been counted of yet
    there = counted | set(re.findall(r"^# TYPE (\w+)", metrics(running), re.M))
    metric_names = {name for expression in expressions() for name in re.findall(r"\bdarbar_\w+", expression)}
    assert len(metric_names) > 10
    assert {re.sub(r"_(total|bucket)$", "", name) for name in metric_names} <= {
        re.sub("_total$", "", name) for name in there
    }
