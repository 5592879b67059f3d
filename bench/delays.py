"""Delays of what tells people of another's move, by each way in which they learn of it, while 1,000 games run.

A web server, an event stream and a worker serve people of whom one sends a move every fifth of a second: three of
four wait for the outcome, as a page does, and the fourth leaves the move to a worker. The next to move are told by
email or by a push, others at the table by their event streams. Two have the page of a game open in Chromium; without
one that row is left out.
"""

import os
import random
import shutil
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import sync_playwright

from accounts.models import Account
from bench import game_copies
from bench.bench_database import whole_server
from bench.http_moves import Table
from bench.load import Line
from bench.measure import Row, at_most, percentile
from bench.receivers import Arrivals, Mails, Pushes, streams
from games.models import Move
from notifications.channels import push
from notifications.models import Preferences

GAMES: Final = 1000
EVERY: Final = 0.2
"""Seconds between two moves, on average."""
WARM_UP: Final = 30
"""Moves that are not counted."""
LISTENERS: Final = 50
"""People with an open event stream."""
PAGES: Final = 2
TURNS: Final = 7
"""Moves of each seat in a game whose page is open: with one more it might have to play a coup."""
PATIENCE: Final = 30.0
"""Seconds within which everybody is told."""
BOUNDS: Final = {"page": 50.0, "stream": 25.0, "stream, by a worker": 25.0, "push": 250.0, "mail": 2000.0}
_WATCH: Final = """
    window.changes = [];
    document.addEventListener("page-changed", () => changes.push(Date.now() / 1000));
"""


def sent(line: Line, request: bytes, status: str) -> tuple[float, float]:
    """Send a request; when that was, and the milliseconds until its answer."""
    at = time.time()
    line.ask(request)
    while (answer := line.listen()) is None:
        pass
    if answer[0] != status:
        raise SystemExit(f"wanted {status}, and got {answer[0]}")
    return at, answer[1]


def rows(people: Sequence[int], moves: int) -> Iterator[Row]:
    """The time from another's move until I am told of it, by each way."""
    table = Table(game_copies.copies(game_copies.model(people, timezone.now()), GAMES, people))
    with Mails() as mails, Pushes() as pushes:
        by_push = _with_devices(table, pushes)
        listening = {str(account.pk): table.token(account) for account in _listening(table)}
        with (
            whole_server(EMAIL_URL=mails.url, OUTGOING_LOOPBACK="yes") as (port, stream_port),
            streams(stream_port, listening) as events,
        ):
            line, pauses, times, left = Line(port), random.Random(1), dict[UUID, float](), set[UUID]()
            for number, game in enumerate(table.games[: WARM_UP + moves]):
                if number == WARM_UP:
                    _until_a_worker_is_there()
                how, status = ({"Prefer": "wait=10"}, "200") if number % 4 else ({}, "202")
                times[game], _ = sent(line, table.move(game, 1, table.question, **how).encode(), status)
                time.sleep(pauses.expovariate(1 / EVERY))
                if status == "202":
                    left.add(game)
            for game in table.games[:WARM_UP]:
                del times[game]
            request = {game: table.at(game, 2) for game in times}
            others = {game: str(table.at(game, 3).pk) for game in times}
            message = {game: f"{name} {game}" for game, name in others.items() if name in listening}
            pushed = {game: f"/{account.pk}" for game, account in request.items() if account.pk in by_push}
            mailed = {game: account.email for game, account in request.items() if account.pk not in by_push}
            results = {
                "stream": _delays(events, {game: message[game] for game in message.keys() - left}, times),
                "stream, by a worker": _delays(events, {game: message[game] for game in message.keys() & left}, times),
                "push": _delays(pushes.arrivals, pushed, times),
                "mail": _delays(mails.arrivals, mailed, times),
            }
            if (program := shutil.which("chromium")) is not None:
                results = {"page": _delays_of_pages(table, program, port), **results}
    for way, delays in results.items():
        middle, bound, slow = percentile(delays, 0.5), BOUNDS[way], percentile(delays, 0.99)
        title = f"another's move to my {way}, half of {len(delays)} (99 %: {slow:.0f} ms)"
        yield at_most(title, "ms", "the bound", (middle, bound, middle / bound), 1, 1)


def _until_a_worker_is_there() -> None:
    """Wait until all moves that were left to a worker are resolved: it may start later than what serves people."""
    while Move.objects.filter(state=Move.State.RECEIVED).exists():
        time.sleep(0.1)


def _with_devices(table: Table, pushes: Pushes) -> set[int]:
    """Give every second of those who are asked a device; return them."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    text = urlsafe_b64encode(point).rstrip(b"=").decode()
    choice = {account.pk: account for account in (table.at(game, 2) for game in table.games[::2])}
    for account in choice.values():
        push.add_device(account, f"{pushes.url}/{account.pk}", text, "A" * 22, "phone", timezone.now())
        Preferences.objects.create(account=account, channels={"question": ["push"]})
    return {*choice}


def _listening(table: Table) -> list[Account]:
    return [*{account.pk: account for account in (table.at(game, 3) for game in table.games)}.values()][:LISTENERS]


def _delays(arrivals: Arrivals, who: dict[UUID, str], times: dict[UUID, float]) -> list[float]:
    """The milliseconds from the move in each game until somebody was told of it."""
    end, delays = time.monotonic() + PATIENCE, list[float]()
    for game, name in who.items():
        while (at := arrivals.first(name, times[game])) is None:
            if time.monotonic() > end:
                raise SystemExit(f"{name} was not told of a move")
            time.sleep(0.1)
        delays.append((at - times[game]) * 1000)
    return delays


def _delays_of_pages(table: Table, program: str, port: int) -> list[float]:
    """The milliseconds from a move until the page that another player has open has changed."""
    games, line, delays = table.games[-PAGES:], Line(port), list[float]()
    with _browser(program) as browser:
        home = f"http://localhost:{port}/"
        pages = {game: _open_page(browser, table.at(game, 4), home, game) for game in games}
        time.sleep(2)
        for turn in range(TURNS * game_copies.SEATS):
            seat = turn % game_copies.SEATS + 1
            for game, page in pages.items():
                at, _ = sent(
                    line, table.move(game, seat, game_copies.asked(game, seat), Prefer="wait=10").encode(), "200"
                )
                page.wait_for_function("at => changes.at(-1) >= at", arg=at, timeout=PATIENCE * 1000)
                if seat != game_copies.SEATS:
                    delays.append((page.evaluate("at => changes.find(each => each >= at)", at) - at) * 1000)
                time.sleep(2 * EVERY)
    return delays


@contextmanager
def _browser(program: str) -> Iterator[Any]:
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright keeps an event loop in this thread
    arguments = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


def _open_page(browser: Any, account: Account, home: str, game: UUID) -> Any:
    client = Client()
    client.force_login(account)
    context = browser.new_context()
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": home}])
    page = context.new_page()
    page.goto(f"{home}games/{game}/")
    page.evaluate(_WATCH)
    return page
