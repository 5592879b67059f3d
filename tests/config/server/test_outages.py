"""Requests while the database does not answer: 503 with a time to retry, and correct results for stored data."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from bench.ports import free_port
from tests.server.darbar import ROOT, wait_until

pytestmark = pytest.mark.slow

MOVES = "/api/v1/games/8a1f7b1e-3c1d-4a53-9d2f-0b7a5f7f2d11/moves/"
TOKEN = {"Authorization": "Bearer darbar_" + 20 * "a"}
NOTHING_STORED = "Your request wasn’t saved"
UNCERTAIN = "Your request may have been saved"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a web server whose database is not there."""
    with served("config.server.web", "PORT", tmp_path_factory.mktemp("web")) as client:
        wait_until(lambda: answers(client), "the web server answers")
        yield client


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of an event stream whose database is not there."""
    with served("config.server.stream", "STREAM_PORT", tmp_path_factory.mktemp("stream")) as client:
        yield client


@contextmanager
def served(module: str, setting: str, folder: Path) -> Iterator[httpx.Client]:
    port = free_port()
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), setting: str(port), "BROKER_URL": "memory://"}
    environment["DATABASE_URL"] = f"postgres://darbar:secret@127.0.0.1:{free_port()}/darbar"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", module], cwd=ROOT, env=environment, stderr=log)
    with httpx.Client(
        base_url=f"http://localhost:{port}", timeout=60, headers={"X-Log": str(folder / "log")}
    ) as client:
        yield client
    process.terminate()
    process.wait()


def answers(client: httpx.Client, path: str = "/healthz") -> bool:
    with suppress(httpx.TransportError):
        return client.get(path, headers=TOKEN).status_code == 503
    return False


def assert_unavailable(answer: httpx.Response, sentence: str) -> None:
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["Retry-After"]) > 0
    assert sentence in answer.text


def test_the_api_is_unavailable_and_says_that_nothing_was_stored(web: httpx.Client) -> None:
    reading = web.get("/api/v1/me/", headers=TOKEN)
    assert_unavailable(reading, "Please try again in a few seconds.")
    assert reading.headers["Content-Type"] == "application/problem+json"
    assert (reading.json()["status"], reading.json()["code"]) == (503, "unavailable")
    signing_up = {"email": "maryam@example.org", "password": "four coins and a duke", "name": "Maryam"}
    assert_unavailable(web.post("/api/v1/accounts/", json=signing_up), NOTHING_STORED)


def test_a_move_is_known_not_to_be_stored(web: httpx.Client) -> None:
    move = {"question": "1.1", "text": "income"}
    for headers in (TOKEN, {**TOKEN, "Prefer": "wait=5"}):
        assert_unavailable(web.post(MOVES, json=move, headers=headers), NOTHING_STORED)


def test_a_page_is_made_without_the_database(web: httpx.Client) -> None:
    page = web.get("/", headers={"Accept-Language": "fa", "Cookie": f"sessionid={32 * chr(97)}"})
    assert_unavailable(page, "پایگاه داده")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "<main" in page.text


def test_the_log_says_it_once_without_what_the_error_says(web: httpx.Client) -> None:
    for _ in range(5):
        web.get("/api/v1/me/", headers=TOKEN)
    text = Path(web.headers["X-Log"]).read_text()
    answered = [line[24:] for line in text.splitlines() if "a request was answered with 503: OperationalError" in line]
    assert answered
    assert len(answered) == len({*answered})
    assert "Connection refused" not in text
    assert "Traceback" not in text
    assert "Service Unavailable: /api" not in text


def test_the_event_stream_is_unavailable_too(stream: httpx.Client) -> None:
    wait_until(lambda: answers(stream, "/api/v1/stream/"), "the event stream answers")
    answer = stream.get("/api/v1/stream/", headers=TOKEN)
    assert_unavailable(answer, "The database isn’t responding right now.")
    assert answer.json()["code"] == "unavailable"


def answer_in_a_view(method: str, error: Exception) -> Any:
    class View(APIView):
        authentication_classes = ()
        permission_classes = ()
        throttle_classes = ()

        def get(self, request: Any) -> None:
            raise error

        post = get

    request = APIRequestFactory().generic(method, "/api/v1/x/")
    request.balance = None
    return View.as_view()(request)


@pytest.mark.parametrize("error", [OperationalError("server closed the connection"), InterfaceError("closed")])
def test_what_a_view_has_begun_is_not_said_to_be_undone(error: Exception) -> None:
    assert "Please try again" in answer_in_a_view("GET", error).data["detail"]
    answer = answer_in_a_view("POST", error)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert UNCERTAIN in answer.data["detail"]


def test_a_connection_that_breaks_in_a_view_is_uncertain_even_if_connecting_again_fails() -> None:
    try:
        psycopg.connect(host="127.0.0.1", port=free_port(), dbname="darbar", user="darbar")
    except psycopg.OperationalError as cause:
        error = OperationalError(str(cause))
        error.__cause__ = cause
    assert UNCERTAIN in answer_in_a_view("POST", error).data["detail"]
