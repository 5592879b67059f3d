"""A real server whose worker stops, is killed, finds its clock set and a game broken; and all that it writes in that.

What takes long is made short by moving what the database knows of time into the past while the worker is stopped.
"""

import base64
import json
import os
import re
import shutil
import signal
import smtplib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from config.postgres import DATABASE, Place
from notifications import addresses
from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, wait_until
from tests.server.player import Player

HERE = Path(__file__).parent
CARDS = "ambassador|assassin|captain|contessa|duke"


@pytest.fixture(scope="module")
def server(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Darbar]:
    """A server that logs as JSON, and whose clock a test can set."""
    folder = tmp_path_factory.mktemp("clock")
    shutil.copy(HERE / "jumping_clock.py", folder / "sitecustomize.py")
    surroundings = {"PYTHONPATH": str(folder), "DARBAR_TEST_CLOCK": str(folder / "ahead"), "LOG_FORMAT": "json"}
    with on_a_copy(prepared, **surroundings) as server:
        yield server.start()


@pytest.fixture(scope="module")
def maryam(server: Darbar) -> Iterator[Player]:
    with Player(server, "Maryam") as maryam:
        yield maryam


def database(server: Darbar) -> psycopg.Connection:
    sockets = Place.under(server.data_dir).sockets
    return psycopg.connect(host=str(sockets), port=5432, user=DATABASE, dbname=DATABASE, autocommit=True)


def workers(server: Darbar) -> list[int]:
    return [pid for pid in server.descendants() if b"config.worker" in _command(pid)]


def _command(pid: int) -> bytes:
    """What a process runs; nothing where it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


@contextmanager
def stopped(server: Darbar) -> Iterator[psycopg.Connection]:
    """While the worker does nothing; its heart is fresh as it goes on, unless the block has it otherwise.

    It is stopped between two transactions.
    """
    with database(server) as connection:
        wait_until(lambda: connection.execute("SELECT 1 FROM games_heartbeat").fetchone(), "the clock ticks")
        while True:
            _signal(server, signal.SIGSTOP)
            if not connection.execute(_AT_WORK).fetchall():
                break
            _signal(server, signal.SIGCONT)
            time.sleep(0.05)
        try:
            connection.execute("UPDATE games_heartbeat SET at = now() + interval '5 seconds'")
            yield connection
        finally:
            _signal(server, signal.SIGCONT)


_AT_WORK = "SELECT pid FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()"
"""Who is in a transaction: a worker that is stopped in one would hold its locks."""


def _signal(server: Darbar, how: signal.Signals) -> None:
    for pid in workers(server):
        os.kill(pid, how)


def opened(player: Player, turn: str = "PT30M") -> str:
    """A game of Coup with house players, in which the person begins."""
    opening = {"rules": "coup", "seats": 3, "house": 2, "turn": turn, "options": {"starting_player": 1}}
    game = str(player.post("games/", opening, 201)["id"])
    player.question(game)
    return game


def moved(player: Player, game: str) -> list[int]:
    """The seconds by which deadlines were moved, for each time."""
    events = [line["event"] for line in player.get(f"games/{game}/events/")["events"]]
    return [event["seconds"] for event in events if event["type"] == "table.deadlines-moved"]


def age(connection: psycopg.Connection, minutes: int) -> None:
    """Have all that is known of time be older: as if the worker had been stopped so much earlier."""
    for change in (
        "games_heartbeat SET at = at - %(ago)s::interval",
        "games_openquestion SET asked_at = asked_at - %(ago)s::interval, due_at = due_at - %(ago)s::interval",
    ):
        connection.execute(f"UPDATE {change}", {"ago": f"{minutes} minutes"})


def test_a_worker_that_was_stopped_gives_the_time_back_before_it_plays_for_anybody(
    server: Darbar, maryam: Player
) -> None:
    game = opened(maryam)
    with stopped(server) as connection:
        age(connection, 45)
    wait_until(lambda: moved(maryam, game), "the time is given back")
    (seconds,) = moved(maryam, game)
    assert 2600 <= seconds <= 2800
    maryam.answer(game, "income")


def test_so_does_the_one_that_follows_a_worker_that_was_killed(server: Darbar, maryam: Player) -> None:
    game = opened(maryam)
    with stopped(server) as connection:
        age(connection, 45)
        for pid in workers(server):
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: moved(maryam, game), "another worker gives the time back")
    maryam.answer(game, "income")


def asked_by_mail(player: Player, game: str) -> str:
    """The address that answers the question which a mail puts in this game; blank while none has come."""
    named = f"q-{addresses.short(UUID(game))}-"
    came = [address for mail in player.mails() for address in mail["reply_to"]]
    return next((address for address in came if address.startswith(named)), "")


def reply_to_the_mail(player: Player, game: str, number: int) -> EmailMessage:
    """An answer to the question which a mail has put in this game."""
    wait_until(lambda: asked_by_mail(player, game), "she is asked")
    reply = EmailMessage()
    reply["From"], reply["To"] = player.email, asked_by_mail(player, game)
    reply["Message-ID"] = f"<late-{number}@darbar.example>"
    reply.set_content("income\n")
    return reply


def answered(player: Player, game: str) -> str | None:
    """How the first answer of a game came, as far as this player knows."""
    events = player.get(f"games/{game}/events/")["events"]
    begun = [line["event"]["type"] for line in events].index("turn-began")
    return next((line["via"] for line in events[begun:] if line["via"]), None)


def test_mails_that_lay_six_hours_are_judged_as_of_when_they_came(server: Darbar, maryam: Player) -> None:
    games = [opened(maryam) for _ in range(4)]
    replies = [reply_to_the_mail(maryam, game, number) for number, game in enumerate(games)]
    with stopped(server) as connection:
        with smtplib.SMTP("127.0.0.1", server.mail_port, timeout=30) as post:
            for reply in replies:
                post.send_message(reply)
        connection.execute("UPDATE notifications_rawmail SET received_at = now() - interval '6 hours'")
        for game in games:
            late = "6 hours 1 minute" if game == games[-1] else "5 hours"
            connection.execute(
                "UPDATE games_openquestion SET asked_at = now() - interval '7 hours', due_at = now() - %s::interval"
                " WHERE game_id = %s",
                [late, game],
            )
    expected = ["mail", "mail", "mail", "clock"]
    wait_until(lambda: [answered(maryam, game) for game in games] == expected, "all four are answered as they should")


def test_a_broken_game_stops_no_other(server: Darbar, maryam: Player) -> None:
    broken, whole = opened(maryam), opened(maryam)
    with stopped(server) as connection:
        connection.execute("ALTER TABLE games_event DISABLE TRIGGER ALL")
        connection.execute(
            'UPDATE games_event SET body = \'{"type":"no-such-event"}\' WHERE game_id = %s AND number > 3', [broken]
        )
        connection.execute("DELETE FROM games_snapshot WHERE game_id = %s", [broken])
        connection.execute(
            "UPDATE games_openquestion SET due_at = now() - interval '1 minute' WHERE game_id = ANY(%s::uuid[])",
            [[broken, whole]],
        )
    events = f"games/{whole}/events/"
    wait_until(
        lambda: "clock" in [line["via"] for line in maryam.get(events)["events"]], "the clock plays in the other"
    )
    wait_until(lambda: broken in server.said(), "the log names the broken one")
    with database(server) as connection:
        connection.execute("DELETE FROM games_openquestion WHERE game_id = %s", [broken])


def test_a_clock_that_is_set_forward_by_a_day_closes_nothing(server: Darbar, maryam: Player) -> None:
    game = opened(maryam)
    time.sleep(6)
    Path(server.environment["DARBAR_TEST_CLOCK"]).write_text(str(24 * 3600))
    wait_until(lambda: moved(maryam, game), "the step is given back")
    assert abs(moved(maryam, game)[0] - 24 * 3600) < 60
    maryam.answer(game, "income")


def forms(secret: bytes) -> list[bytes]:
    """Every way in which bytes may come to stand in a text."""
    hexadecimal, plain = secret.hex().encode(), base64.b64encode(secret)
    return [
        secret,
        hexadecimal,
        hexadecimal.upper(),
        plain.rstrip(b"="),
        base64.urlsafe_b64encode(secret).rstrip(b"="),
        base64.b32encode(secret).rstrip(b"="),
        repr(secret)[2:-1].encode(),
        str(int.from_bytes(secret, "big")).encode(),
    ]


def test_nothing_that_the_server_writes_holds_a_seed_a_hand_or_a_move(server: Darbar, maryam: Player) -> None:
    game = opened(maryam)
    play_to_the_end(maryam, game)
    for path in ("/no/such/page/", "/answer/a-b-cccccccccccccccccccccccccc/", f"/games/{game}/"):
        server.get(path)
    written = [server.log.read_bytes(), (Place.under(server.data_dir).home / "log").read_bytes()]
    with database(server) as connection:
        seeds = [bytes(seed) for (seed,) in connection.execute("SELECT seed FROM games_game").fetchall()]
        logged = "".join(body for (body,) in connection.execute("SELECT body FROM games_event").fetchall())
    written += list(queued(server, maryam))
    assert len(seeds) >= 6
    assert re.search(CARDS, logged), "the hands stand in the database, and only there"
    assert any(game.encode() in each or b"games.tasks" in each for each in written[2:]), "the broker's folder was seen"
    said = b"\n".join(written)
    assert [form for seed in seeds for form in forms(seed) if form in said] == []
    assert re.findall(rf"\b(?:{CARDS})\b", said.decode(errors="replace")) == []
    assert b'"type": "income"' not in said
    lines = [line for line in server.said().splitlines() if line.startswith("{")]
    assert lines
    assert all({"time", "level", "message"} <= json.loads(line).keys() for line in lines)


def queued(server: Darbar, player: Player) -> Iterator[bytes]:
    """What lies in the broker's folder while a game is opened and played at, and the worker is stopped."""
    with stopped(server):
        game = opened(player)
        player.send(game, "income")
        yield from (path.read_bytes() for path in (server.data_dir / "queue").rglob("*") if path.is_file())


def play_to_the_end(player: Player, game: str) -> None:
    """Answer whatever is asked: with a coup where there is one, with money else."""
    for _ in range(80):
        wait_until(lambda: player.get(f"games/{game}/questions/") or over(player, game), "something is asked")
        asked: list[dict[str, Any]] = player.get(f"games/{game}/questions/")
        if not asked:
            return
        texts = [move["text"] for move in asked[0]["moves"]]
        chosen = next((text for text in texts if text.startswith("coup")), texts[0])
        player.outcome(player.http.post(
            f"/api/v1/games/{game}/moves/", json={"question": asked[0]["id"], "text": chosen}
        ).headers["Location"])  # fmt: skip
    raise AssertionError("the game does not end")


def over(player: Player, game: str) -> bool:
    return bool(player.get(f"games/{game}/")["state"] == "over")
