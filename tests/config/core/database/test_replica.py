"""Reads from a replica: the primary is asked where the replica is behind, is none, or does not answer."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections, router
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from accounts.models import Account
from bench.ports import free_port
from config.core.database.connections import REPLICA
from config.core.database.replica import RETRY_AFTER, Replica, ReplicaRouter, reads_replica
from games.models import Game
from games.visibility.access import list_games
from tests.games.api.conftest import client


@pytest.fixture
def replica_alias(
    settings: Any, monkeypatch: pytest.MonkeyPatch, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[str, Any]]:
    """Name the database itself as its replica; gives how it is reached, to be changed."""
    described: dict[str, Any] = {**settings.DATABASES["default"]}
    monkeypatch.setitem(settings.DATABASES, REPLICA, described)
    monkeypatch.setattr(router, "routers", [ReplicaRouter()])
    with django_db_blocker.unblock():
        yield described
        for name in (REPLICA, "default"):
            connections[name].close()
    del connections[REPLICA]


def read_from(replica: Replica) -> str:
    """Return the name of the database from which a block of this replica reads."""
    with replica.reading():
        return str(router.db_for_read(Game))


def test_a_server_that_follows_nothing_is_not_read(replica_alias: dict[str, Any]) -> None:
    assert read_from(Replica()) == "default"


class _OnlyReplica:
    """A router that has found the replica fit."""

    def db_for_read(self, model: object, **hints: object) -> str:
        return REPLICA


def test_a_list_of_games_is_read_from_the_replica(
    replica_alias: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "routers", [_OnlyReplica()])
    with CaptureQueriesContext(connections[REPLICA]) as queries:
        assert list(list_games(Account(pk=1))[:10]) == []
    assert any("games_game" in query["sql"] for query in queries)


def test_a_replica_that_does_not_answer_is_left_alone_for_a_while(
    replica_alias: dict[str, Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    replica_alias.update(HOST="127.0.0.1", PORT=str(free_port()))
    replica = Replica()
    assert [read_from(replica), read_from(replica)] == ["default", "default"]
    assert caplog.text.count("The replica does not answer") == 1
    monkeypatch.setattr(replica, "_unused_until", replica._unused_until - RETRY_AFTER)
    assert read_from(replica) == "default"
    assert caplog.text.count("The replica does not answer") == 2


def test_writes_never_go_to_the_replica_and_no_table_is_made_there() -> None:
    replica_router = ReplicaRouter()
    assert replica_router.db_for_write(Game) == "default"
    assert (replica_router.allow_migrate(REPLICA, "games"), replica_router.allow_migrate("default", "games")) == (
        False,
        True,
    )


def test_the_replica_is_asked_only_for_requests_that_are_allowed(
    maryam: Account,
    kaveh: Account,
    replica_alias: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    replica_alias.update(HOST="127.0.0.1", PORT=str(free_port()))
    monkeypatch.setattr("config.core.database.replica.REPLICA", Replica())
    settings.REQUESTS_PER_ACCOUNT = 1
    program = client(maryam)
    assert APIClient().get("/api/v1/games/").status_code == 401
    assert program.get("/api/v1/me/").status_code == 200
    assert program.get("/api/v1/games/").status_code == 429
    assert "The replica does not answer" not in caplog.text
    assert client(kaveh).get("/api/v1/games/").status_code == 200
    assert "The replica does not answer" in caplog.text


@pytest.mark.parametrize(("method", "lookups"), [("GET", 1), ("HEAD", 1), ("POST", 0)])
def test_only_what_is_read_asks_for_the_replica(
    method: str,
    lookups: int,
    replica_alias: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replica_alias.update(HOST="127.0.0.1", PORT=str(free_port()))
    monkeypatch.setattr("config.core.database.replica.REPLICA", Replica())

    @reads_replica
    def page(request: HttpRequest) -> HttpResponse:
        return HttpResponse(router.db_for_read(Game))

    assert page(RequestFactory().generic(method, "/")).content == b"default"
    assert caplog.text.count("The replica does not answer") == lookups
