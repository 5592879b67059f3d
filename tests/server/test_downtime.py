"""A real server whose worker stops, is killed, finds its clock set and a game broken; and all that it writes in that.

What takes long is made short by moving what the database knows of time into the past while the worker is stopped.
"""

import base64
import json
import re
import signal
import smtplib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from config.server.postgres import ServerPaths
from tests.long import LONG
from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, database, tell, wait_until
from tests.server.player import Player
from tests.server.replies import answered, asked_by_mail, opened, reply_to_the_mail
from tests.server.upset import age, beats, break_log, copied, move_clocks, passed_by, set_clock, stopped

HERE = Path(__file__).parent
CARDS = "ambassador|assassin|captain|contessa|duke"
HOUR = 3600


@pytest.fixture(scope="module")
def server(prepared: Path) -> Iterator[Darbar]:
    """A server that logs as JSON, and whose machine's clock a test can set."""
    with on_a_copy(prepared, LOG_FORMAT="json") as server:
        move_clocks(server)
        server.start()
        wait_until(lambda: beats(server), "the clock ticks")
        yield server


@pytest.fixture(scope="module")
def maryam(server: Darbar) -> Iterator[Player]:
    with Player(server, "Maryam") as maryam:
        yield maryam


def moved(player: Player, game: str) -> list[int]:
    """The seconds by which deadlines were moved, for each time."""
    events = [line["event"] for line in player.get(f"games/{game}/events/")["results"]]
    return [event["seconds"] for event in events if event["type"] == "table.deadlines-moved"]


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


def test_a_worker_that_follows_a_killed_one_gives_the_time_back_too(server: Darbar, maryam: Player) -> None:
    game = opened(maryam)
    with stopped(server) as connection:
        age(connection, 45)
        tell(signal.SIGKILL, *server.workers())
    wait_until(lambda: moved(maryam, game), "another worker gives the time back")
    maryam.answer(game, "income")


def test_what_lay_six_hours_is_resolved_as_of_when_it_came(server: Darbar, maryam: Player) -> None:
    games = [opened(maryam) for _ in range(5)]
    *by_mail, by_program = games
    replies = [reply_to_the_mail(maryam, game, number) for number, game in enumerate(by_mail)]
    with stopped(server) as connection:
        with smtplib.SMTP("127.0.0.1", server.mail_port, timeout=30) as post:
            for reply in replies:
                post.send_message(reply)
        maryam.send(by_program, "income")
        connection.execute("UPDATE notifications_rawmail SET received_at = now() - interval '6 hours'")
        connection.execute("UPDATE games_move SET received_at = now() - interval '6 hours' WHERE state = 'received'")
        for game in games:
            late = "6 hours 1 minute" if game == by_mail[-1] else "5 hours"
            connection.execute(
                "UPDATE games_openquestion SET asked_at = now() - interval '7 hours', due_at = now() - %s::interval"
                " WHERE game_id = %s",
                [late, game],
            )
    expected = ["mail", "mail", "mail", "timeout", "api"]
    wait_until(lambda: [answered(maryam, game) for game in games] == expected, "all are answered as they should")


def test_a_broken_game_among_many_stops_no_other_and_is_named(server: Darbar) -> None:
    with Player(server, "Kaveh") as kaveh, Player(server, "Dariush") as dariush:
        table = kaveh.post("games/", {"rules": "coup", "seat_count": 2, "options": {"starting_player": 1}}, 201)
        dariush.post(f"games/{table['id']}/join/", {}, 200)
        kaveh.question(table["id"])
    due = datetime.now(UTC) - timedelta(minutes=2)
    with stopped(server) as connection:
        broken, *others = copied(server, table["id"], 10_000 if LONG else 100, [kaveh, dariush])
        break_log(connection, broken)
        connection.execute("UPDATE games_openquestion SET due_at = %s WHERE game_id = ANY(%s::uuid[])", [due, others])
        earlier = due - timedelta(seconds=1)
        connection.execute("UPDATE games_openquestion SET due_at = %s WHERE game_id = %s", [earlier, broken])
    with database(server) as connection:
        statement = "SELECT count(*) FROM games_openquestion WHERE due_at = %s"
        wait_until(
            lambda: connection.execute(statement, [due]).fetchone() == (0,), "the clock plays in all others", 600
        )
        played = "SELECT count(DISTINCT game_id) FROM games_event WHERE via = 'timeout' AND game_id = ANY(%s::uuid[])"
        assert connection.execute(played, [others]).fetchall() == [(len(others),)]
        wait_until(lambda: broken in passed_by(server), "the log names the broken one")
        assert passed_by(server) == {broken}
        assert "stalled-games" in server.get("/healthz").json()["red"]
        connection.execute("DELETE FROM games_openquestion WHERE game_id = %s", [broken])
        connection.execute("UPDATE games_game SET stalled_since = NULL WHERE id = %s", [broken])
        connection.execute("DELETE FROM games_stall WHERE game_id = %s", [broken])


def test_a_clock_that_is_set_back_by_an_hour_and_forward_again_holds_nothing_up(server: Darbar, maryam: Player) -> None:
    game, silent = opened(maryam), opened(maryam)
    with stopped(server):
        on_its_way = maryam.send(game, "income")
        set_clock(server, -HOUR)
    assert maryam.outcome(on_its_way)["state"] == "applied"
    wait_until(
        lambda: maryam.get(f"games/{game}/questions/")["results"], "the bots have answered, and she is asked again"
    )
    maryam.answer(game, maryam.get(f"games/{game}/questions/")["results"][0]["moves"][0]["text"])
    asked_later = opened(maryam)
    wait_until(lambda: asked_by_mail(maryam, asked_later), "letters go out")
    with database(server) as connection:
        over = datetime.now(UTC) - timedelta(seconds=HOUR + 60)
        connection.execute("UPDATE games_openquestion SET due_at = %s WHERE game_id = %s", [over, asked_later])
    wait_until(lambda: "timeout" in ways(maryam, asked_later), "the clock answers when time is over by it")
    wait_until(lambda: green(server), "nothing waits for the clock")
    set_clock(server, 0)
    wait_until(lambda: moved(maryam, silent), "the step forward is given back")
    assert [abs(seconds - HOUR) < 60 for seconds in moved(maryam, silent)] == [True]
    assert "timeout" not in {*ways(maryam, game), *ways(maryam, silent)}
    wait_until(lambda: green(server), "nothing waits")


def ways(player: Player, game: str) -> list[str | None]:
    """Return by what way each event of a game came, as far as this player knows."""
    return [line["via"] for line in player.get(f"games/{game}/events/")["results"]]


def green(server: Darbar) -> bool:
    return bool(server.get("/healthz").json()["red"] == [])


def test_a_clock_that_is_set_forward_by_a_day_closes_nothing(server: Darbar, maryam: Player) -> None:
    game = opened(maryam)
    set_clock(server, 24 * HOUR)
    wait_until(lambda: moved(maryam, game), "the step is given back")
    assert abs(moved(maryam, game)[0] - 24 * HOUR) < 60
    maryam.answer(game, "income")
    set_clock(server, 0)
    wait_until(lambda: beats(server), "the clock ticks")


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
    game, *_ = [opened(maryam) for _ in range(6)]
    play_to_the_end(maryam, game)
    for path in ("/no/such/page/", "/answer/a-b-cccccccccccccccccccccccccc/", f"/games/{game}/"):
        server.get(path)
    contents = [server.log.read_bytes(), (ServerPaths.in_data_dir(server.data_dir).home / "log").read_bytes()]
    with database(server) as connection:
        seeds = {bytes(seed) for (seed,) in connection.execute("SELECT seed FROM games_game").fetchall()}
        logged = "".join(body for (body,) in connection.execute("SELECT body FROM games_event").fetchall())
    contents += list(queued(server, maryam))
    assert len(seeds) >= 6
    assert re.search(CARDS, logged), "the hands stand in the database, and only there"
    assert any(game.encode() in content or b"games.tasks" in content for content in contents[2:]), (
        "the broker's folder was seen"
    )
    all_bytes = b"\n".join(contents)
    assert [form for seed in seeds for form in forms(seed) if form in all_bytes] == []
    assert re.findall(rf"\b(?:{CARDS})\b", all_bytes.decode(errors="replace")) == []
    assert not re.search(rb'"type": ?"(coup\.)?income"', all_bytes)
    lines = [line for line in server.output().splitlines() if line.startswith("{")]
    assert lines
    assert all({"time", "level", "message"} <= json.loads(line).keys() for line in lines)


def queued(server: Darbar, player: Player) -> Iterator[bytes]:
    """Return the messages in the broker's folder after moves in a game whose worker is stopped."""
    with stopped(server):
        game = opened(player)
        player.send(game, "income")
        yield from (path.read_bytes() for path in (server.data_dir / "queue").rglob("*") if path.is_file())


def play_to_the_end(player: Player, game: str) -> None:
    """Answer all questions, if possible with a coup, otherwise with income."""
    for _ in range(300):
        wait_until(
            lambda: player.get(f"games/{game}/questions/")["results"] or over(player, game), "something is asked"
        )
        questions: list[dict[str, Any]] = player.get(f"games/{game}/questions/")["results"]
        if not questions:
            return
        texts = [move["text"] for move in questions[0]["moves"]]
        choice = next((text for text in texts if text.startswith("coup")), texts[0])
        player.outcome(player.http.post(
            f"/api/v1/games/{game}/moves/", json={"question": questions[0]["id"], "text": choice}
        ).headers["Location"])  # fmt: skip
    raise AssertionError("the game does not end")


def over(player: Player, game: str) -> bool:
    return bool(player.get(f"games/{game}/")["state"] == "over")
