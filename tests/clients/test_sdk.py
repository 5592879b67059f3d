"""``darbar-client``: whole games on a running server, sync and async, and its behaviour after errors."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import httpx
import pytest
from darbar_client import AsyncDarbar, Darbar, Refused, Unreachable, webhooks
from darbar_client.protocol import pause_after
from standardwebhooks import Webhook

from tests.clients.conftest import assert_generated, code_of, run, token_of, url_of
from tests.server.darbar import ROOT
from tests.server.darbar import Darbar as Server
from tests.server.player import PASSWORD, Player

HERE: Final = ROOT / "clients" / "python"
TABLE: Final[Any] = {"rules": "coup", "seat_count": 2, "bots": [{}]}
SECRET: Final = "whsec_c2V2ZW4gZ29hdHMgb24gYSByb29mLCBhbmQgb25lIG1vcmU="


def test_the_generated_base_is_that_of_the_kept_description() -> None:
    assert_generated(HERE)


def test_a_bot_of_a_few_lines_plays_a_game_to_its_end(running: Server, player: Player) -> None:
    bot = HERE / "examples" / "bot.py"
    assert len([line for line in bot.read_text().splitlines() if line]) <= 9
    run([sys.executable, bot, url_of(running), token_of(player)], PYTHONPATH=str(HERE))
    (game,) = player.get("games/?mine=true")["results"]
    assert game["state"] == "over"


def test_the_program_of_the_readme_plays_a_game_to_its_end(running: Server, player: Player) -> None:
    program = code_of(HERE / "README.md", "python", running, player)
    run([sys.executable, "-c", program], PYTHONPATH=str(HERE))
    (game,) = player.get("games/?mine=true")["results"]
    assert game["state"] == "over"


def test_both_clients_read_a_list_and_a_log_page_by_page(running: Server, player: Player) -> None:
    created = [player.post("games/", TABLE, 201)["id"] for _ in range(3)]

    async def read() -> tuple[list[str], list[int]]:
        async with AsyncDarbar(url_of(running), token_of(player)) as darbar:
            games = [game["id"] async for game in darbar.results(await darbar.list_games(mine=True, limit=1))]
            events = darbar.results(await darbar.list_events(created[0], limit=1))
            return games, [event["number"] async for event in events]

    games, numbers = asyncio.run(read())
    assert games[:3] == created[::-1]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 2
    with Darbar(url_of(running), token_of(player)) as darbar:
        assert [game["id"] for game in darbar.results(darbar.list_games(mine=True, limit=2))] == games
        assert [event["number"] for event in darbar.results(darbar.list_events(created[0], limit=2))] == numbers


def test_ten_games_take_at_most_two_requests_a_move(running: Server, player: Player) -> None:
    requests: list[httpx.Request] = []
    with Darbar(url_of(running), token_of(player)) as darbar:
        darbar._http.event_hooks["request"].append(requests.append)
        games = [darbar.create_game(TABLE)["id"] for _ in range(10)]
        moves = [darbar.answer(question, question["moves"][0]) for question in darbar.questions(*games)]
        assert {move["state"] for move in moves} == {"applied"}
        assert {darbar.get_game(game)["state"] for game in games} == {"over"}
    assert len(requests) <= 2 * len(moves), (len(requests), len(moves))
    sys.stdout.write(f"{len(requests)} requests for {len(moves)} moves\n")


def test_a_bot_waits_for_a_game_that_has_not_begun_and_ends_with_one_that_is_cancelled(
    running: Server, player: Player
) -> None:
    with Darbar(url_of(running), token_of(player)) as darbar:
        game = darbar.create_game({"rules": "coup", "seat_count": 2})["id"]
        looks: list[str] = []

        def leave_at_the_second_look(request: httpx.Request) -> None:
            looks.append(request.url.path)
            if looks.count(f"/api/v1/games/{game}/") == 2 and request.method == "GET":
                player.http.post(f"/api/v1/games/{game}/leave/", json={})

        darbar._http.event_hooks["request"].append(leave_at_the_second_look)
        assert list(darbar.questions(game, wait=0)) == []
    assert looks.count(f"/api/v1/games/{game}/") >= 2, "a game that is open is not over"


def test_an_asyncio_bot_plays_and_hears_of_its_game(running: Server, player: Player) -> None:
    async def play() -> list[str]:
        events: list[str] = []
        async with AsyncDarbar(url_of(running), token_of(player)) as darbar:
            listening = asyncio.Event()

            async def listen(game: str) -> None:
                async for message in darbar.follow_events():
                    events.append(message.kind)
                    listening.set()
                    if message.kind == "game" and message.data["game"] == game and message.data["state"] == "over":
                        return

            game = await darbar.create_game(TABLE)
            listener = asyncio.create_task(listen(game["id"]))
            await listening.wait()
            async for question in darbar.questions(game["id"]):
                await darbar.answer(question, question["moves"][0])
            await asyncio.wait_for(listener, 30)
        return events

    received = asyncio.run(play())
    assert received[0] == "ready"
    assert {"question", "closed", "event", "game"} <= set(received)


def test_a_stream_goes_on_where_it_was(running: Server, player: Player) -> None:
    token_request = {"email": player.email, "password": PASSWORD, "name": "bot", "scopes": ["games:read", "games:play"]}
    with Darbar(url_of(running), player.post("tokens/", token_request, 201)["token"]) as darbar:
        stream = darbar.follow_events()
        ready = next(stream)
        game = darbar.create_game(TABLE)
        assert next(stream).data["game"] == game["id"]
        stream.close()
        again = darbar.follow_events(ready.id)
        assert next(again).data["game"] == game["id"]
        again.close()


def test_open_games_come_and_go_in_a_stream(running: Server, player: Player) -> None:
    token_request = {"email": player.email, "password": PASSWORD, "name": "bot", "scopes": ["games:read", "games:play"]}
    with Darbar(url_of(running), player.post("tokens/", token_request, 201)["token"]) as darbar:
        game = darbar.create_game({"rules": "sedlec", "seat_count": 3})["id"]
        stream = darbar.follow_open_games(rules="sedlec", seat_count=3)
        open_event = next(event for event in stream if event.data["game"] == game)
        assert (open_event.kind, open_event.data["free"]) == ("open-game", 2)
        darbar.leave_game(game, {})
        open_event = next(event for event in stream if event.data["game"] == game)
        assert open_event.kind == "closed-game"
        stream.close()


def test_a_refusal_bears_its_code_and_what_is_wrong(running: Server, player: Player) -> None:
    with Darbar(url_of(running), token_of(player)) as darbar:
        with pytest.raises(Refused) as refused:
            darbar.create_game({"rules": "coup", "seat_count": 99})
        assert (refused.value.status, refused.value.code) == (400, "malformed")
        assert refused.value.errors[0]["pointer"] == "#/seat_count"
        with pytest.raises(Refused, match="not-found"):
            darbar.get_game("8a1f7b1e-3c1d-4a53-9d2f-0b7a5f7f2d11")


def assert_not_waiting(request: httpx.Request) -> None:
    """Fail if a request waits for a change, which may take as long as the deadline."""
    assert "If-None-Match" not in request.headers


def test_a_move_against_the_rules_is_a_refusal_and_a_closed_question_an_outcome(
    running: Server, player: Player
) -> None:
    with Darbar(url_of(running), token_of(player)) as darbar:
        questions = darbar.questions(darbar.create_game(TABLE)["id"])
        for question in questions:
            if question["reason"] == "turn":
                break
            darbar.answer(question, question["moves"][0])
        with pytest.raises(Refused, match="illegal") as refused:
            darbar.answer(question, "steal 9")
        assert (refused.value.status, refused.value.problem["move"]["state"]) == (422, "rejected")
        darbar._http.event_hooks["request"].append(assert_not_waiting)
        assert next(questions)["id"] == question["id"]
        assert darbar.answer(question, question["moves"][0])["state"] == "applied"
        again = darbar.answer(question, question["moves"][0])
        assert (again["state"], again["problem"] and again["problem"]["code"]) == ("rejected", "question-closed")


@pytest.fixture
def failing() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    """A server that refuses each request twice before it answers, and the list of requests."""
    requests: list[tuple[str, str | None]] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            requests.append((self.command, self.headers.get("Idempotency-Key")))
            status = 503 if len(requests) % 3 else 200
            body = json.dumps({"code": "unavailable"} if status == 503 else {"id": "1"}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815  # as http.server calls them

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", requests
    server.shutdown()
    thread.join()
    server.server_close()


def test_what_may_pass_is_tried_again_under_the_same_key(failing: tuple[str, list[tuple[str, str | None]]]) -> None:
    url, requests = failing
    with Darbar(url, "any") as darbar:
        assert darbar.create_game(TABLE) == {"id": "1"}
        assert len(requests) == 3
        assert len({key for _, key in requests}) == 1
        assert requests[0][1]
        assert darbar.create_game(TABLE, idempotency_key="mine") == {"id": "1"}
        assert {key for _, key in requests[3:]} == {"mine"}


@pytest.mark.parametrize(("headers", "pause"), [({"Retry-After": "1"}, 1.0), ({}, None)], ids=["busy", "conflict"])
def test_a_request_that_is_still_being_processed_is_sent_again(headers: dict[str, str], pause: float | None) -> None:
    assert pause_after(httpx.Response(409, headers=headers), 0, repeatable=True) == pause
    assert pause_after(httpx.Response(409, headers=headers), 0, repeatable=False) is None


def test_a_request_with_a_second_effect_is_not_tried_again(failing: tuple[str, list[tuple[str, str | None]]]) -> None:
    url, requests = failing
    with Darbar(url, "any") as darbar, pytest.raises(Refused, match="unavailable"):
        darbar.create_token({"email": "maryam@darbar.example", "password": "seven goats", "scopes": ["games:read"]})
    assert len(requests) == 1


def test_a_server_that_is_not_there_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("darbar_client.protocol.ATTEMPTS", 2)
    with Darbar("http://127.0.0.1:1") as darbar, pytest.raises(Unreachable):
        darbar.list_rules()


def test_a_webhook_is_read_and_a_forged_one_is_not() -> None:
    body, at = json.dumps({"type": "question", "timestamp": "2026-11-22T08:30:00Z", "data": {}}), datetime.now(UTC)
    headers = {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(int(at.timestamp())),
        "Webhook-Signature": Webhook(SECRET).sign("msg_1", at, body),
    }
    assert webhooks.read(SECRET, headers, body.encode())["type"] == "question"
    with pytest.raises(webhooks.NotSigned):
        webhooks.read(SECRET, headers, body.replace("question", "game"))
