"""The tables: made whole by ``migrate`` alone, by one process at a time, and never by an older version."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from django.db import connection

from bench.ports import free_port
from config.core.database import schema
from config.server.postgres import Server, ServerPaths
from config.server.prepare import prepare_database
from tests.running import open_folder
from tests.server.darbar import ROOT, wait_until

FUTURE = ("games", "9999_weather")
CONTRACTION = ("games", "9999_contract_tables")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A data folder with a server for it that runs, and whose database is empty."""
    folder_path = open_folder()
    with Server(ServerPaths.in_data_dir(folder_path), "fsync=off", "full_page_writes=off"):
        yield folder_path
    Server(ServerPaths.in_data_dir(folder_path)).delete_data()
    shutil.rmtree(folder_path)


def started(folder: Path, *command: str, **environment: str) -> "subprocess.Popen[str]":
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), "BROKER_URL": "memory://", **environment}
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.slow
def test_a_command_says_what_to_type_first_and_two_that_prepare_at_once_wait_for_each_other(folder: Path) -> None:
    early = started(folder, "manage.py", "verify")
    refusal = early.communicate()[0]
    assert early.returncode == 1, refusal
    assert re.fullmatch(r"The database is missing the migrations .* more. Run darbar prepare, .*\.\n", refusal)
    both = [started(folder, "-m", "config.server.prepare"), started(folder, "manage.py", "migrate", "--verbosity=0")]
    outputs = [process.communicate()[0] for process in both]
    assert [(process.returncode, output) for process, output in zip(both, outputs, strict=True)] == [(0, ""), (0, "")]
    port = free_port()
    web = started(folder, "-m", "config.server.web", PORT=str(port))
    try:
        wait_until(lambda: _answers(f"http://localhost:{port}/healthz"), "the web server answers")
        signing_up = {"email": "maryam@example.org", "password": "four coins and a duke", "name": "Maryam"}
        answer = httpx.post(f"http://localhost:{port}/api/v1/accounts/", json=signing_up, timeout=60)
        assert answer.is_success, answer.text
    finally:
        web.terminate()
        web.communicate()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=60).is_success
    except httpx.TransportError:
        return False


@pytest.mark.slow
def test_a_database_from_which_a_newer_version_has_removed_something_is_refused_in_a_sentence(folder: Path) -> None:
    with _own_connection(folder) as connection:
        connection.execute("INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", CONTRACTION)
    for command in (("-m", "config.server.prepare"), ("manage.py", "migrate")):
        refusing = started(folder, *command)
        strip = refusing.communicate()[0].strip()
        assert refusing.returncode == 1, strip
        assert "A newer version of Darbar has used this database" in strip
        assert "games.9999_contract_tables" in strip
        assert "\n" not in strip


def _own_connection(folder: Path) -> "psycopg.Connection[tuple[object, ...]]":
    described = ServerPaths.in_data_dir(folder).connection()
    return psycopg.connect(
        host=described["HOST"],
        port=described["PORT"],
        user=described["USER"],
        dbname=described["NAME"],
        autocommit=True,
    )


BEFORE_THE_OUTBOX = """
    DO $$ DECLARE field record; BEGIN
        FOR field IN SELECT table_name, column_name FROM information_schema.columns WHERE column_name NOT LIKE '%id'
            AND table_name IN ('games_tablechannel', 'games_clubchannel', 'games_tournament', 'games_tournamentpost')
        LOOP EXECUTE format('ALTER TABLE %I ALTER %I DROP NOT NULL', field.table_name, field.column_name); END LOOP;
        FOR field IN SELECT conrelid::regclass AS table_name, conname FROM pg_constraint WHERE contype = 'f'
            AND conrelid::regclass::text IN ('games_tablechannel', 'games_clubchannel', 'notifications_delivery')
        LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', field.table_name, field.conname); END LOOP;
    END $$;
    INSERT INTO games_tablechannel (game_id, next_attempt_at) VALUES
        ('00000000-0000-0000-0000-000000000001', NULL), ('00000000-0000-0000-0000-000000000002', '2026-03-22T12:00Z');
    INSERT INTO games_clubchannel (club_id, account_id) VALUES ('00000000-0000-0000-0000-000000000003', 1);
    INSERT INTO games_tournament (id) VALUES ('00000000-0000-0000-0000-000000000004');
    INSERT INTO games_tournamentpost (channel_id, tournament_id, event, round, key, attempts, next_attempt_at) VALUES
        ('00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000004', 'round', 2, gen_random_uuid(),
        3, '2026-03-22T12:00Z');
    INSERT INTO notifications_delivery
        (public_id, webhook_id, kind, data, at, state, attempts, next_attempt_at, failure)
        SELECT gen_random_uuid(), '00000000-0000-0000-0000-000000000005', 'event', '{"game": "g"}', '2026-03-22T12:00Z',
            state, 1, '2026-03-22T12:00Z', '' FROM unnest(ARRAY['waiting', 'delivered', 'failed']) AS state;
"""


@pytest.mark.slow
def test_messages_that_wait_while_the_outbox_takes_them_over_and_stopped_chats_are_carried() -> None:
    folder = open_folder()
    with Server(ServerPaths.in_data_dir(folder), "fsync=off", "full_page_writes=off"):
        for target in (["games", "0008"], ["notifications", "0003"]):
            assert started(folder, "manage.py", "migrate", *target, "--verbosity=0").communicate()[0] == ""
        with _own_connection(folder) as connection:
            connection.execute(BEFORE_THE_OUTBOX)
        assert started(folder, "manage.py", "migrate", "games", "0009", "--verbosity=0").communicate()[0] == ""
        with _own_connection(folder) as connection:
            query = "SELECT stopped_at IS NULL, next_change_at < now() - interval '1 day' FROM games_tablechannel"
            assert connection.execute(f"{query} ORDER BY game_id").fetchall() == [(False, False), (True, True)]
            query = (
                "SELECT channel, topic, reason, state, attempts, data FROM notifications_notification ORDER BY place"
            )
            assert connection.execute(query).fetchall() == [
                *(("webhooks", "game:g", "event", state, 1, {"game": "g"}) for state in ("ready", "sent", "failed")),
                (
                    "club-chats",
                    "tournament:00000000-0000-0000-0000-000000000004",
                    "round",
                    "ready",
                    3,
                    {"tournament": "00000000-0000-0000-0000-000000000004", "round": 2},
                ),
            ]
            query = "SELECT count(*) FROM notifications_notification JOIN games_clubchannel USING (endpoint)"
            assert connection.execute(query).fetchone() == (1,)
    Server(ServerPaths.in_data_dir(folder)).delete_data()
    shutil.rmtree(folder)


@pytest.mark.django_db
def test_a_database_to_which_a_newer_version_has_only_added_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", FUTURE)
    prepare_database()
    assert [record.getMessage() for record in caplog.records] == [
        "a newer version has added to the tables, and this one goes on: this program lacks games.9999_weather"
    ]


@pytest.mark.django_db
def test_the_comparison_names_what_either_side_lacks() -> None:
    assert not schema.difference(connection)
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", FUTURE)
        cursor.execute("DELETE FROM django_migrations WHERE app = 'games' AND name = '0001_initial'")
    difference = schema.difference(connection)
    assert (difference.foreign, difference.missing) == ({FUTURE}, {("games", "0001_initial")})
    assert schema.join_names(frozenset(("games", str(number)) for number in range(5))) == (
        "games.0, games.1, games.2 and 2 more"
    )
