"""The server and the pages on which authors try their game.

The page of a trial, with the page of every seat in a frame, and what lies behind it: state, views and events. It shows
all secrets of its game. Only the server of a trial has these URLs.

The web server of a trial: ``python -m config.server.trial.server FOLDER SOCKET``, with an inherited socket. A package
that cannot be loaded is answered with the traceback, until the supervisor starts the server again.
"""

import os
import secrets
import shutil
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from select import select
from socketserver import ThreadingMixIn
from threading import Lock, Thread
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import msgspec
from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import include, path
from django.utils.module_loading import import_string
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Account
from config.core import clock, processes
from config.server.postgres import Server, ServerPaths
from config.server.trial.supervisor import BUILD, CHECK
from games.engine import EVERYONE, AnyRules, SeatNumber, SeededChance, Viewer, show_all
from games.engine.forms import any_answer, forms_of
from games.event_log import log_store
from games.event_log.log_store import events_of
from games.models import Game
from games.play.locked_game import lock_game
from games.play.resolve import resolve, resolve_locked
from games.play.submit import WrittenMove, store_move
from games.play.timeouts import play_default_move
from games.rules.registry import RULES
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game

NAMES: Final = ("Maryam", "Sepideh", "Bahareh", "Kaveh", "Dariush", "Shirin", "Omid", "Shahin", "Zoya", "Farid")
MOST_MOVES: Final = 1000
"""The most moves that are played by lot for one press of a button."""
_ONE_AT_A_TIME: Final = Lock()
POLICY: Final = "default-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'"


def seat_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Serve the ordinary pages to the account of a seat, below the address of the seat."""

    def respond(request: HttpRequest) -> HttpResponse:
        number = request.META["SCRIPT_NAME"].removeprefix(SEAT)
        if not number.isdigit() or not 1 <= int(number) <= len(NAMES):
            return get_response(request)
        request.urlconf = "config.urls"
        request.user = players()[int(number) - 1]
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html") and not response.streaming:
            response.content = response.content.replace(
                b"</head>", b'<link rel="stylesheet" href="/trial/frame.css"></head>'
            )
        return response

    return respond


def players() -> list[Account]:
    """Return an account for each seat that a game may have. They are made for the first request."""
    accounts = list(Account.objects.order_by("pk"))
    for name in NAMES[len(accounts) :]:
        accounts.append(Account.objects.create_user(f"{name.lower()}@example.org", name=name))
    return accounts


def begin(seats: int) -> Game:
    """Begin a game with the usual options and all players on this machine."""
    return create_game(players()[0], NewGame(rules=os.environ[GAME], seat_count=seats), "page", clock.now())


def current_game() -> Game:
    """Return the latest game, and take its free seats. Begin one if there is none that these rules can read."""
    with _ONE_AT_A_TIME:
        game = Game.objects.order_by("created_at").last()
        try:
            if game is not None:
                log_store.position(game)
        except Exception:
            traceback.print_exc()
            game = None
        if game is None:
            possible = RULES[os.environ[GAME]].players
            game = begin(3 if 3 in possible else possible[0])
        while game.state == Game.State.OPEN:
            seated = set(game.seats.values_list("account", flat=True))
            account = next(account for account in players() if account.pk not in seated)
            game = join_game(game.pk, account, game.code, "page", clock.now())
    return Game.objects.get(pk=game.pk)


@require_safe
def trial(request: HttpRequest) -> HttpResponse:
    """Show the game of the trial."""
    game = current_game()
    rules = log_store.rules_of(game)
    context = {
        "game": game,
        "title": str(rules.words.title),
        "seats": [(seat.number, seat.account.name) for seat in game.seats.order_by("number") if seat.account],
        "counts": rules.players,
        "everyone": EVERYONE,
        "new_game": f"{SEAT}1/games/new/{game.rules}/",
        "language": players()[0].language,
    }
    response = render(request, "page.html", context)
    response["Content-Security-Policy"] = POLICY
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def present(request: HttpRequest) -> JsonResponse:
    """Return the versions of server and game, the result of the check, and the knowledge of the chosen viewer."""
    game = current_game()
    rules, viewer = log_store.rules_of(game), SeatNumber(int(request.GET.get("viewer", EVERYONE)))
    return JsonResponse(
        {
            "build": os.environ[BUILD],
            "game": str(game.pk),
            "version": game.version,
            "check": (settings.DATA_DIR / CHECK).read_text(),
            **_knowledge(game, rules, viewer),
        }
    )


def _knowledge(game: Game, rules: AnyRules, viewer: Viewer) -> dict[str, str]:
    """Return the view and the events of a viewer, and the traceback of a part of the rules that fails.

    A move that failed is tried again, which raises the same error until the rules are mended.
    """
    knowledge = {"view": "", "events": "", "trouble": ""}
    try:
        state = log_store.position(game).state
        if state is None:
            return knowledge
        knowledge["view"] = _as_json(state if viewer == EVERYONE else rules.view(state, viewer))
        events = show_all(rules, events_of(log_store.read(game)), viewer)
        knowledge["events"] = "\n".join(msgspec.json.encode(event).decode() for event in reversed(events))
        for question in rules.questions(state):
            rules.legal_moves(state, question)
            rules.forms(rules.view(state, question.seat), question)
        if game.stalled_since:
            with lock_game(game.pk, clock.now()) as locked:
                if locked is not None:
                    resolve_locked(locked, again=True)
    except Exception:
        knowledge["trouble"] = traceback.format_exc()
    return knowledge


def _as_json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


@require_POST
def new_game(request: HttpRequest) -> HttpResponse:
    """Begin another game."""
    begin(int(request.POST["seats"]))
    return redirect("/")


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Play one move by lot, or all, or let the time of one question run out."""
    how = request.POST["how"]
    for _ in range(MOST_MOVES if how == "all" else 1):
        game = current_game()
        if game.state != Game.State.RUNNING:
            break
        (play_default if how == "default" else play_by_lot)(game)
    return HttpResponse(status=204)


def play_by_lot(game: Game) -> None:
    """Play a random answer to a random question."""
    state, rules = log_store.position(game).state, log_store.rules_of(game)
    chance = SeededChance(secrets.token_bytes(32))
    question = chance.choose(rules.questions(state))
    forms = forms_of(rules, state, question)
    move = any_answer(rules.legal_moves(state, question), forms, question, chance)
    account = game.seats.get(number=question.seat).account
    assert account is not None
    store_move(game, account, WrittenMove(question.id, rules.text(move)), "page", clock.now())
    resolve(game.pk, clock.now())


def play_default(game: Game) -> None:
    """Play the move that the rules choose when a deadline passes."""
    with lock_game(game.pk, clock.now()) as locked:
        if locked is not None and locked.open:
            play_default_move(locked, next(iter(locked.open.values())))


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Let all players read the other language."""
    Account.objects.update(language="en" if players()[0].language == "fa" else "fa")
    return redirect("/")


def frame_style(request: HttpRequest) -> HttpResponse:
    """Hide the menu and the chat of the ordinary pages."""
    return HttpResponse(".top, .bottom, #chat { display: none }", content_type="text/css")


urlpatterns = [
    path("", trial),
    path("trial/now/", present),
    path("trial/new/", new_game),
    path("trial/play/", play),
    path("trial/language/", language),
    path("trial/frame.css", frame_style),
    path("", include("config.urls")),  # for the links in notifications
]


GAME: Final = "TRIAL_GAME"
"""The variable with the name of the game."""
SEAT: Final = "/seat/"
"""The beginning of the paths of the ordinary pages. The number of the seat follows."""
SEAT_MIDDLEWARE: Final = "config.server.trial.server.seat_middleware"
_BEFORE: Final = "django.contrib.messages.middleware.MessageMiddleware"
_BROKEN: Final = """<!doctype html>
<meta charset="utf-8"><meta http-equiv="refresh" content="2"><meta name="color-scheme" content="light dark">
<title>Not loaded</title>
<h1>The game can’t be loaded</h1>
<p>This page loads again when you save a file.</p>
<pre>{}</pre>"""

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class TrialServer(ThreadingMixIn, WSGIServer):
    """A WSGI server with a thread for each request. At the end it waits for its answers."""

    daemon_threads = False

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        super().process_request_thread(request, client_address)
        connections.close_all()  # the connections belong to this thread, which ends now


class QuietHandler(WSGIRequestHandler):
    """A handler that logs no requests."""

    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> None:
    """Serve the trial until the process is stopped. Delete the database if the supervisor was killed."""
    supervisor = os.getppid()
    processes.watch_parent()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the database is deleted also while it loads
    try:
        serve(Path(sys.argv[1]), int(sys.argv[2]))
    finally:
        if select([int(os.environ[processes.PIPE_VARIABLE])], [], [], 0)[0]:  # the supervisor was killed
            while os.getppid() == supervisor:  # its pipe closes shortly before it lets go of the database
                time.sleep(0.01)
            data = Path(os.environ["DATA_DIR"])
            Server(ServerPaths.in_data_dir(data)).delete_data()
            shutil.rmtree(data)


def serve(folder: Path, descriptor: int) -> None:
    """Load the game of a package, and serve it until the process is stopped."""
    try:
        # This module loads the game, so it is imported here.
        os.environ[GAME] = import_string("games.kit.package.find_package")(folder).rules()[0].name
        application = below_seats(trial_application())
    except Exception as error:
        application = broken_application(error)
    with TrialServer(("127.0.0.1", int(os.environ["PORT"])), QuietHandler, bind_and_activate=False) as server:
        server.socket.close()
        server.socket = socket.socket(fileno=descriptor)
        server.server_name, server.server_port = "localhost", server.server_address[1]
        server.setup_environ()
        server.set_app(application)
        signal.signal(signal.SIGTERM, lambda *_: Thread(target=server.shutdown).start())
        server.serve_forever()


def trial_application() -> Application:
    """Return Django's application with the URLs of the trial, after the database has been prepared."""
    settings.ROOT_URLCONF = "config.server.trial.server"
    settings.DEBUG = True  # the author sees the traceback of a page that fails
    settings.TEMPLATES[0]["DIRS"] = [settings.BASE_DIR / "config" / "templates", Path(__file__).parent]
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    settings.X_FRAME_OPTIONS = "SAMEORIGIN"
    settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["frame-ancestors"] = ["'self'"]
    place = settings.MIDDLEWARE.index(_BEFORE)
    settings.MIDDLEWARE = [*settings.MIDDLEWARE[:place], SEAT_MIDDLEWARE, *settings.MIDDLEWARE[place:]]
    processes.set_up_django()
    # Before the application, which checks the tables when it is imported.
    import_string("config.server.prepare.prepare_database")()
    application: Application = import_string("config.wsgi.application")
    return application


def below_seats(application: Application) -> Application:
    """Return an application that takes ``/seat/N`` from the path, so that all addresses of a page begin with it."""

    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path.startswith(SEAT):
            number, _, rest = path.removeprefix(SEAT).partition("/")
            environ |= {"SCRIPT_NAME": f"{SEAT}{number}", "PATH_INFO": f"/{rest}"}
        return application(environ, start_response)

    return respond


def broken_application(error: Exception) -> Application:
    """Return an application that answers every request with the reason why the game could not be loaded."""
    text = "".join(traceback.format_exception(error.__cause__ or error))
    sys.stderr.write(text)

    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")])
        return [_BROKEN.format(escape(text)).encode()]

    return respond


if __name__ == "__main__":
    main()
