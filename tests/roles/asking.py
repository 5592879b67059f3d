"""Requests for every operation in a role's name, with a valid body. Their effects are rolled back."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from django.core.cache import caches
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import override

from tests.roles.operations import Operation
from tests.roles.scene import DEVICE, MISSING, NAMES, NOBODYS, PASSWORD, WEBHOOK, Answer, Scene, in_days, link_to

BEFORE_THE_GAME: Final = {
    *("POST join", "POST leave", "POST reveal-seed", "POST pages:reveal-seed", "POST start", "GET invitations"),
    *("POST invitations", "GET invitation", "DELETE invitation", "POST pages:join", "POST pages:leave"),
    *("POST pages:start", "POST pages:invite", "GET pages:invitation", "POST pages:invitation"),
    *("GET pages:invitation-stop", "POST pages:invitation-stop"),
}
IN_A_PAUSE: Final = {
    **dict.fromkeys(("PUT pause", "POST pages:agree-to-pause", "POST pages:decline-pause"), "voting"),
    "POST pages:end-pause": "paused",
}
_BY_LINK: Final = ("pages:answer", "pages:answer-one", "pages:invitation", "pages:invitation-stop")
AFTER_THE_GAME: Final = {
    *("POST practice", "GET rematch", "POST rematch", "DELETE rematch", "GET record", "GET step", "GET transcript"),
    *("GET statistics", "GET analysis", "POST pages:practice", "POST pages:rematch"),
}
_ALSO: Final = {
    "settings-revoke": "token",
    "settings-forbid": "grant",
    "settings-session": "session",
    "person": "block",
    "webhook-secret": "webhook",
    "webhook-test": "webhook",
    "webhook-deliveries": "webhook",
    "webhook-retry": "webhook",
    "settings-device": "device",
    "settings-download": "download",
    "settings-webhook": "webhook",
    "settings-webhook-test": "webhook",
    "pages:settings-vacation": "vacation",
}
"""Addresses about things that others are named after."""

_OWN: Final = (
    *("public_id", "client_id", "id", "report", "notification_id", "session"),
    *("app", "device", "person", "token", "vacation", "webhook"),
)
"""Parameters that name the thing that the operation is named after."""

Body = Callable[[Scene, Mapping[str, Any]], dict[str, Any]]
BODIES: Final[Mapping[str, Body]] = {
    "POST sandbox-clock": lambda scene, ids: {"forward": "P1D"},
    "PUT sandbox-bot": lambda scene, ids: {"moves": ["tax"]},
    "GET views": lambda scene, ids: {"games": str(MISSING)},
    "GET leaders": lambda scene, ids: {"rules": "coup", "seat_count": 2},
    "GET idp:oidc:authorization": lambda scene, ids: {
        "response_type": "code",
        "client_id": scene.things["app"],
        "redirect_uri": "https://clock.example/",
        "scope": "games:read",
        "code_challenge": "x" * 43,
        "code_challenge_method": "S256",
    },
    "POST accounts": lambda scene, ids: {"email": "soraya@example.org", "password": PASSWORD, "name": "Soraya"},
    "POST confirm": lambda scene, ids: {"email": "parviz@example.org", "code": "BCDF-GHJK"},
    "POST tokens": lambda scene, ids: {"email": "host@example.org", "password": PASSWORD, "name": "phone"},
    "PATCH me": lambda scene, ids: {"time_zone": "Asia/Tehran", "preferences": {"digest": "daily"}},
    "POST apps": lambda scene, ids: {
        "name": "Corner table",
        "redirect_uris": ["https://corner.example/"],
        "scopes": ["chat"],
    },
    "POST deletion": lambda scene, ids: {"password": PASSWORD},
    "POST people": lambda scene, ids: {"name": NOBODYS},
    "POST vacations": lambda scene, ids: dict(zip(("first", "last"), in_days(20, 21), strict=True)),
    "POST reports": lambda scene, ids: {"kind": "conduct", "game": str(ids["game"]), "seat": 4, "reason": "Rude."},
    "POST webhooks": lambda scene, ids: {**WEBHOOK, "url": "https://hooks.example.org/another"},
    "PATCH webhook": lambda scene, ids: {"kinds": ["chat"]},
    "POST devices": lambda scene, ids: {**DEVICE, "endpoint": "https://push.example.org/2"},
    "POST games": lambda scene, ids: {"rules": "coup", "seat_count": 2, "bots": [{}]},
    "POST seeks": lambda scene, ids: {"rules": "coup", "least": 3, "most": 6},
    "POST clubs": lambda scene, ids: {"name": "Friday liars"},
    "POST pages:clubs": lambda scene, ids: {"name": "Friday liars"},
    "PATCH club": lambda scene, ids: {"name": "Friday liars"},
    "POST pages:edit-club": lambda scene, ids: {"name": "Friday liars"},
    "POST join-club": lambda scene, ids: {"code": ids["code"]},
    "PATCH member": lambda scene, ids: {"role": "member"},
    "POST pages:change-member": lambda scene, ids: {"do": "remove"},
    "PUT group-chat": lambda scene, ids: {"app": "slack", "secret": "https://hooks.example.org/T/B/X"},
    "PATCH group-chat": lambda scene, ids: {"handle": "U012AB3CD"},
    "POST pages:club-handle": lambda scene, ids: {"handle": "U012AB3CD"},
    "POST pages:table-handle": lambda scene, ids: {"handle": "U012AB3CD"},
    "POST pages:connect-club-channel": lambda scene, ids: {"app": "slack", "secret": "https://hooks.example.org/T/B/X"},
    "POST tournaments": lambda scene, ids: {
        "name": "Autumn cup",
        "format": "knock-out",
        "rules": "coup",
        "table_size": 3,
        "advance": 1,
        "round_length": "P14D",
        "starts_at": (timezone.now() + timedelta(days=7)).isoformat(),
    },
    "POST pages:new-tournament": lambda scene, ids: {
        "name": "Autumn cup",
        "format": "swiss",
        "table_size": "4",
        "rounds": "2",
        "advance": "1",
        "division_size": "6",
        "promoted": "1",
        "season_break": "P7D",
        "speed": "daily",
        "round_length": "P14D",
        "starts_in": "P7D",
    },
    "POST pages:edit-tournament": lambda scene, ids: {
        "name": "Autumn cup",
        "day": f"{timezone.now() + timedelta(days=9):%Y-%m-%d}",
        "time": "12:00",
    },
    "PATCH tournament": lambda scene, ids: {
        "name": "Autumn cup",
        "starts_at": (timezone.now() + timedelta(days=9)).isoformat(),
    },
    "PATCH entry": lambda scene, ids: {"sits_out": [2]},
    "POST reveal-seed": lambda scene, ids: {"seed": "5e" * 32, "head": "5e" * 32},
    "POST practice": lambda scene, ids: {"line": 10, "seat": 1},
    "POST rematch": lambda scene, ids: {"options": {"answers": "sealed"}},
    "POST invitations": lambda scene, ids: {"email": "parviz@example.org", "language": "fa"},
    "POST moves": lambda scene, ids: {"question": ids.get("question", "1.1"), "text": "income"},
    "POST pages:only-aimed": lambda scene, ids: {"wants_pause": "1"},
    "POST pages:plans": lambda scene, ids: {"text": "allow 2"},
    "POST pages:change-plan": lambda scene, ids: {"text": "allow 2"},
    "POST stand-in": lambda scene, ids: {"name": NOBODYS, "until": (timezone.now() + timedelta(days=1)).isoformat()},
    "POST plans": lambda scene, ids: {"plan": {"type": "coup.if-losing", "lose": "duke"}},
    "PUT plan": lambda scene, ids: {"plan": {"type": "coup.if-blocked", "challenge": True}},
    "POST pages:connect-channel": lambda scene, ids: {"app": "slack", "secret": "https://hooks.example.org/T/B/X"},
    "PUT pause": lambda scene, ids: {"wants_pause": True},
    "POST chat": lambda scene, ids: {"to": "all", "text": "Hello"},
}


def ids_for(operation: Operation, scene: Scene, role: str) -> dict[str, Any]:
    """Return the parameters of an operation's path: objects that belong to the host."""
    game = scene.game(_state(operation), role)
    at_table = scene.things[f"{_state(operation)} {game.private}"]
    thing = scene.things.get(_ALSO.get(operation.name, operation.name), MISSING)
    links = {"token": link_to(scene, game, operation.name)} if operation.name in _BY_LINK else {}
    object_name = NAMES["host"] if "player" in operation.name else "coup"
    usual = {name: MISSING if kind == "uuid" else 1 for kind, name in operation.kinds}
    usual |= {"name": object_name, "player": NAMES["host"], "relation": "blocks", "rules": "coup", "language": "en"}
    usual |= {
        name: scene.things[name] for name in ("club", "code", "delivery", "entry", "member", "seek", "tournament")
    }
    own_ids = dict.fromkeys(_OWN, thing)
    return {**usual, **own_ids, "game": game.id, **at_table, **links}


def _state(operation: Operation) -> str:
    if operation.key in BEFORE_THE_GAME:
        return "open"
    if operation.key in IN_A_PAUSE:
        return IN_A_PAUSE[operation.key]
    return "over" if operation.key in AFTER_THE_GAME else "running"


def answer_to(operation: Operation, scene: Scene, role: str) -> Answer:
    """Return the answer to a role's request for the host's things, which is sent only once for all tests."""
    key = operation.title, role
    if key not in scene.answers:
        scene.answers[key] = measured(operation, scene, role, ids_for(operation, scene, role))
    return scene.answers[key]


def measured(operation: Operation, scene: Scene, role: str, ids: Mapping[str, Any], body: Any = None) -> Answer:
    """Send a request, undo its changes, and return its answer with the number of its SQL statements."""
    caches["questions"].clear()
    statements = 0

    def count(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        nonlocal statements
        statements += "SAVEPOINT" not in sql
        return execute(sql, *arguments)

    # CaptureQueriesContext would also write each statement out with its values, which takes longer than the statement.
    with connection.execute_wrapper(count):
        answer = send_request(operation, scene, role, ids, body)
    content = b"" if answer.streaming else answer.content
    return Answer(answer.status_code, content, dict(answer.headers), statements)


def send_request(
    operation: Operation, scene: Scene, role: str, ids: Mapping[str, Any], body: Any = None, *, keep: bool = False
) -> Any:
    """Send a request in a role's name, undo its changes unless ``keep`` is set, and return its answer."""
    body_value = BODIES.get(operation.key, lambda scene, ids: {})(scene, ids) if body is None else body
    path = operation.path.format(**ids)
    with override("en"), transaction.atomic():
        if operation.is_api:
            how = {"data": body_value} if operation.method == "GET" else {"data": body_value, "format": "json"}
            answer = getattr(scene.programs[role], operation.method.lower())(path, **how)
        else:
            browser = scene.browsers[role]
            cookies = browser.cookies.copy()
            answer = getattr(browser, operation.method.lower())(path, body_value)
            browser.cookies = cookies
        if not answer.streaming:
            answer.content  # noqa: B018 - a template that is lazy is rendered before all is undone
        transaction.set_rollback(not keep)
    return answer
