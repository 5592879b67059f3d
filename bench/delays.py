"""Delays between a player's move and its arrival at the other players, by channel, while 1,000 games run.

A web server, an event stream and a worker receive a move every fifth of a second. With three of four moves the player
waits for the outcome, as a page does. The fourth is left to a worker. The player whose turn is next gets an email or a
push, and the others at the table get an event on their streams. Two players have the page of a game open in Chromium.
If Chromium is missing, this row is left out.
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
"""The mean number of seconds between two moves."""
WARM_UP: Final = 30
"""The number of moves before the measurement starts."""
LISTENERS: Final = 50
"""The number of players with an open event stream."""
PAGES: Final = 2
TURNS: Final = 7
"""Moves of each seat in a game whose page is open. After one more, a player might have to launch a coup."""
PATIENCE: Final = 30.0
"""Seconds within which all notifications must arrive."""
BOUNDS: Final = {"page": 50.0, "stream": 25.0, "stream, by a worker": 25.0, "push": 250.0, "mail": 2000.0}
_WATCH: Final = """
    window.changes = [];
    document.addEventListener("page-changed", () => changes.push(Date.now() / 1000));
"""


def send(line: Line, request: bytes, status: str) -> tuple[float, float]:
    """Send a request. Return its time and the milliseconds until the answer."""
    sent_at = time.time()
    line.ask(request)
    while (answer := line.listen()) is None:
        pass
    if answer[0] != status:
        raise SystemExit(f"expected {status}, and got {answer[0]}")
    return sent_at, answer[1]


def rows(people: Sequence[int], moves: int) -> Iterator[Row]:
    """Measure the time from a move until other players learn of it, by channel."""
    table = Table(game_copies.copies(game_copies.model(people, timezone.now()), GAMES, people))
    with Mails() as mails, Pushes() as pushes:
        push_accounts = _add_devices(table, pushes)
        listeners = {str(account.pk): table.token(account) for account in _listeners(table)}
        with (
            whole_server(EMAIL_URL=mails.url, OUTGOING_LOOPBACK="yes") as (port, stream_port),
            streams(stream_port, listeners) as events,
        ):
            line, pauses, times, by_worker = Line(port), random.Random(1), dict[UUID, float](), set[UUID]()
            for number, game in enumerate(table.games[: WARM_UP + moves]):
                if number == WARM_UP:
                    _wait_for_worker()
                headers, status = ({"Prefer": "wait=10"}, "200") if number % 4 else ({}, "202")
                times[game], _ = send(line, table.move(game, 1, table.question, **headers).encode(), status)
                time.sleep(pauses.expovariate(1 / EVERY))
                if status == "202":
                    by_worker.add(game)
            for game in table.games[:WARM_UP]:
                del times[game]
            next_players = {game: table.account(game, 2) for game in times}
            others = {game: str(table.account(game, 3).pk) for game in times}
            event_keys = {game: f"{name} {game}" for game, name in others.items() if name in listeners}
            paths = {game: f"/{account.pk}" for game, account in next_players.items() if account.pk in push_accounts}
            addresses = {
                game: account.email for game, account in next_players.items() if account.pk not in push_accounts
            }
            results = {
                "stream": _delays(events, {game: event_keys[game] for game in event_keys.keys() - by_worker}, times),
                "stream, by a worker": _delays(
                    events, {game: event_keys[game] for game in event_keys.keys() & by_worker}, times
                ),
                "push": _delays(pushes.arrivals, paths, times),
                "mail": _delays(mails.arrivals, addresses, times),
            }
            if (program := shutil.which("chromium")) is not None:
                results = {"page": _delays_of_pages(table, program, port), **results}
    for way, delays in results.items():
        middle, bound, slow = percentile(delays, 0.5), BOUNDS[way], percentile(delays, 0.99)
        title = f"another's move to my {way}, half of {len(delays)} (99 %: {slow:.0f} ms)"
        yield at_most(title, "ms", "the bound", (middle, bound, middle / bound), 1, 1)


def _wait_for_worker() -> None:
    """Wait until no move is unresolved: the worker may start later than the web server."""
    while Move.objects.filter(state=Move.State.RECEIVED).exists():
        time.sleep(0.1)


def _add_devices(table: Table, pushes: Pushes) -> set[int]:
    """Give a device to every second of the players whose turn is next, and return the ids of their accounts."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    public_key = urlsafe_b64encode(point).rstrip(b"=").decode()
    accounts = {account.pk: account for account in (table.account(game, 2) for game in table.games[::2])}
    for account in accounts.values():
        push.add_device(account, f"{pushes.url}/{account.pk}", public_key, "A" * 22, "phone", timezone.now())
        Preferences.objects.create(account=account, channels={"question": ["push"]})
    return {*accounts}


def _listeners(table: Table) -> list[Account]:
    return [*{account.pk: account for account in (table.account(game, 3) for game in table.games)}.values()][:LISTENERS]


def _delays(arrivals: Arrivals, receivers: dict[UUID, str], times: dict[UUID, float]) -> list[float]:
    """Return the milliseconds from the move in each game until its notification arrived."""
    end, delays = time.monotonic() + PATIENCE, list[float]()
    for game, name in receivers.items():
        while (arrival := arrivals.first(name, times[game])) is None:
            if time.monotonic() > end:
                raise SystemExit(f"{name} got no notification of a move")
            time.sleep(0.1)
        delays.append((arrival - times[game]) * 1000)
    return delays


def _delays_of_pages(table: Table, program: str, port: int) -> list[float]:
    """Return the milliseconds from a move until another player's open page has changed."""
    games, line, delays = table.games[-PAGES:], Line(port), list[float]()
    with _browser(program) as browser:
        home = f"http://localhost:{port}/"
        pages = {game: _open_page(browser, table.account(game, 4), home, game) for game in games}
        time.sleep(2)
        for turn in range(TURNS * game_copies.SEATS):
            seat = turn % game_copies.SEATS + 1
            for game, page in pages.items():
                question = game_copies.open_question(game, seat)
                sent_at, _ = send(line, table.move(game, seat, question, Prefer="wait=10").encode(), "200")
                page.wait_for_function("at => changes.at(-1) >= at", arg=sent_at, timeout=PATIENCE * 1000)
                if seat != game_copies.SEATS:
                    change = page.evaluate("at => changes.find(change => change >= at)", sent_at)
                    delays.append((change - sent_at) * 1000)
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
