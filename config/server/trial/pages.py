"""The page of a trial, with the page of every seat in a frame, and what lies behind it: state, views and events.

It shows all secrets of its game. Only the server of a trial has these URLs.
"""

import os
import secrets
import traceback
from collections.abc import Callable
from threading import Lock
from typing import Any, Final

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import include, path
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Account
from config.core import clock
from config.server.trial.server import GAME, SEAT
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
