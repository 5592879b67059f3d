"""Times of pages on a server with many accounts and games: ``python -m bench.page_times 20000 13300``.

Prints a line for each page: the median time, that of the processor in this process, and the number of queries and their
time.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Final

from bench.bench_database import analyze, bench_database  # must be imported first: it sets the environment of Django

# isort: split
from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account, Token
from accounts.tokens import ALL
from bench import game_copies
from tests.factors import passed

TIMES: Final = 7
OWN_GAMES: Final = 200
"""The games of the account that opens the pages."""
_SPREAD: Final = """
UPDATE games_game AS game SET
    state = CASE WHEN place % 10 < 7 THEN 'ended' WHEN place % 10 < 9 THEN 'running' ELSE 'open' END,
    created_at = game.created_at - place * interval '20 minutes',
    started_at = CASE WHEN place % 10 < 9 THEN game.created_at - place * interval '20 minutes' END,
    ended_at = CASE WHEN place % 10 < 7 THEN game.created_at - place * interval '20 minutes' + interval '2 days' END
FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM games_game) AS numbered
WHERE numbered.id = game.id
"""
"""Seven games of ten are over, two are running and one is open. They were created over half a year."""


_CLOSE: Final = """
DELETE FROM games_openquestion USING games_game AS game WHERE game.id = game_id AND game.state <> 'running'
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.page_times")
    parser.add_argument("accounts", type=int)
    parser.add_argument("games", type=int)
    options = parser.parse_args()
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    with bench_database():
        people = game_copies.cast(max(options.accounts, game_copies.SEATS), timezone.now())
        if options.games:
            game = game_copies.model(people, timezone.now(), events=60)
            game_copies.copies(game, options.games - min(OWN_GAMES, options.games // 2), people)
            game_copies.copies(game, min(OWN_GAMES, options.games // 2), people[: game_copies.SEATS])
        with connection.cursor() as cursor:
            cursor.execute(_SPREAD)
            cursor.execute(_CLOSE)
        analyze()
        for name, visit in visits(Account.objects.get(pk=people[0])).items():
            print(line(name, visit), flush=True)


def visits(account: Account) -> dict[str, Callable[[], HttpResponse]]:
    """Return the pages to measure, each as a function that opens it."""
    player, operator, program = Client(), Client(), Client()
    player.force_login(account, "allauth.account.auth_backends.AuthenticationBackend")
    owner = Account.objects.create_superuser("operator@example.org", name="Operator")
    operator.force_login(owner, "allauth.account.auth_backends.AuthenticationBackend")
    passed(operator, owner)
    _, token = Token.objects.create(account, name="bench", scopes=list(ALL))
    program.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    pages = {
        "/": player,
        "/games/": player,
        "/admin/": operator,
        "/admin/attention/": operator,
        "/admin/games/game/": operator,
        "/admin/games/game/?q=EYU2": operator,
        "/admin/accounts/account/": operator,
        "/admin/notifications/notification/": operator,
        "/api/v1/games/": program,
        "/api/v1/me/export/": program,
    }
    return {path: lambda path=path, client=client: client.get(path) for path, client in pages.items()}  # type: ignore[misc]


def line(name: str, visit: Callable[[], HttpResponse]) -> str:
    """Open a page several times, and describe how long it took."""
    status = visit().status_code
    times, processor_times = [], []
    for _ in range(TIMES):
        began, processor_began = time.perf_counter(), time.process_time()
        visit()
        times.append(1000 * (time.perf_counter() - began))
        processor_times.append(1000 * (time.process_time() - processor_began))
    with CaptureQueriesContext(connection) as queries:
        visit()
    in_database = 1000 * sum(float(query["time"]) for query in queries)
    median, processor = statistics.median(times), statistics.median(processor_times)
    database = f"{len(queries)} queries {in_database:.0f} ms"
    return f"{status} {name:<40} {median:6.0f} ms, processor {processor:5.0f} ms, {database}"


if __name__ == "__main__":
    main()
