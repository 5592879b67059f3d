"""A server full of people, each with the part they play at its tables, and things of the host's."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from allauth.idp.oidc.models import Client as App
from allauth.idp.oidc.models import Token as AppToken
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import Permission
from django.test import Client as Browser
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import blocks as people
from accounts import email_addresses, tokens
from accounts.models import Account
from accounts.tokens import ALL, issue
from games import clubs, links, moderation
from games.clubs import get_membership, join_club
from games.models import Club, Game, Seek
from games.play.submit import WrittenMove, store_move
from games.tables import invitations, pausing, vacations
from games.tables.chat import send_message
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.rematch import accept_rematch
from games.tables.seeks import searched_game
from games.tables.starting import create_game
from games.tournaments import entering
from games.tournaments.new_tournament import NewTournament, create_tournament
from notifications import outbox, webhooks
from tests.factors import sure
from tests.third_game.table import fresh, play

PASSWORD: Final = "seven goats on a roof"
MISSING: Final = UUID("5b0c7a54-2f0e-4d0b-9a3e-6b1f0e1c9d42")
AT_PAGES: Final = ("anonymous", "stranger", "seated", "spectator", "host")
"""The roles whose browsers are tried. Pages use the same functions as the API, and no page takes a token."""
ROLES: Final = (
    "anonymous",
    "stranger",
    "invited",
    "seated",
    "eliminated",
    "spectator",
    "host",
    "moderator",
    "bot",
    "revoked",
)
NAMES: Final = {
    "host": "Maryam",
    "seated": "Bahareh",
    "eliminated": "Sepideh",
    "bot": "Robot",
    "invited": "Dariush",
    "stranger": "Kaveh",
    "spectator": "Mina",
    "moderator": "Nasrin",
}
"""The names of the roles. The revoked role is the seated player with a deleted token."""
NOBODYS: Final = "Parviz"
"""An account that takes part in nothing."""
WEBHOOK: Final = {"url": "https://hooks.example.org/darbar", "kinds": ["question"]}
DEVICE: Final = {
    "endpoint": "https://push.example.org/1",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
SEATED: Final = ("host", "seated", "eliminated", "bot")


@dataclass(frozen=True)
class Answer:
    """The answer to a request, and the number of its SQL statements."""

    status: int
    content: bytes
    headers: dict[str, str]
    statements: int


@dataclass
class Scene:
    """Private tables with a public one beside each: one that is open, one at play, one that is over."""

    people: dict[str, Account]
    programs: dict[str, APIClient]
    browsers: dict[str, Browser]
    tables: dict[tuple[str, bool], Game] = field(default_factory=dict)
    """The games by state and whether they are private."""
    things: dict[str, Any] = field(default_factory=dict)
    """The objects of the host, by the name of the parameter that finds them."""
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    """The answers to requests for the host's things, by the title of the operation and the role."""

    def game(self, state: str, role: str) -> Game:
        """Return the game for a role: a public one for spectators, the private one for all others."""
        return self.tables[state, role != "spectator"]


def build() -> Scene:
    """Create the accounts and all their objects."""
    accounts = {role: _account(role, name) for role, name in NAMES.items()}
    _account("nobody", NOBODYS)
    scene = Scene(accounts, _programs(accounts), _browsers(accounts))
    for private in (True, False):
        for state in ("open", "running", "voting", "paused", "over"):
            scene.tables[state, private] = _table(scene, state, private)
    host = accounts["host"]
    now = timezone.now()
    scene.things |= {
        "token": issue(host, "spare", list(ALL))[0].public_id,
        "vacation": vacations.announce(host, *in_days(10, 11), now=now).id,
        "block": people.block(host, accounts["stranger"], now).id,
        "follow": people.follow(host, accounts["spectator"], now).id,
        "mute": people.mute(host, accounts["stranger"], now).id,
        "report": moderation.report_player(scene.tables["running", True], host, 2, "conduct", "Rude.", now).id,
        "app": tokens.register_app(tokens.NewApp("Table clock", ["https://clock.example/"], ALL), host)[0].id,
        "grant": _grant(host).id,
        "session": UserSession.objects.create(
            pk=900_000_017, user=host, ip="192.0.2.7", session_key=scene.browsers["host"].session.session_key
        ).pk,
        "webhook": _create(scene, "me/webhooks", WEBHOOK),
        "device": _create(scene, "me/devices", DEVICE),
        "download": email_addresses.create_download(host, now).pk,
        **_club(scene),
        **_tournament(scene),
        "seek": _create(scene, "seeks", {"rules": "coup", "least": 4, "most": 6}),
        "entry": searched_game(Seek.objects.get()).id,
    }
    message = outbox.add_message("webhooks", scene.things["webhook"], "event", now)
    scene.things["delivery"] = webhooks.message_id(message)
    return scene


def in_days(*ahead: int) -> list[date]:
    """Return future days, given in days from now."""
    return [timezone.now().date() + timedelta(days=days) for days in ahead]


def _account(role: str, name: str) -> Account:
    account = Account.objects.create_user(f"{role}@example.org", PASSWORD, name=name, is_bot=role == "bot")
    account.emailaddress_set.create(email=account.email, verified=True, primary=True)
    if role == "moderator":
        account.is_staff = True
        account.save()
        account.user_permissions.add(Permission.objects.get(codename="moderate"))
    return account


def _programs(accounts: dict[str, Account]) -> dict[str, APIClient]:
    programs = {role: _showing(issue(account, role, list(ALL))[1]) for role, account in accounts.items()}
    token, token_text = issue(accounts["seated"], "lost", list(ALL))
    token.delete()
    return {**programs, "anonymous": APIClient(), "revoked": _showing(token_text)}


def _showing(token: str) -> APIClient:
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return program


def _browsers(accounts: dict[str, Account]) -> dict[str, Browser]:
    browsers = {role: Browser() for role in AT_PAGES}
    for role in AT_PAGES[1:]:
        browsers[role].force_login(accounts[role], settings.AUTHENTICATION_BACKENDS[0])
        sure(browsers[role])
    return browsers


def _table(scene: Scene, state: str, private: bool) -> Game:
    """A table of Coup: the host's invitation, move and message at it, and one who is out of the game."""
    now = timezone.now()
    host = scene.people["host"]
    new_game = NewGame(
        rules="coup",
        seat_count=5 if state == "open" else 4,
        options={"starting_player": 1},
        turn_limit=timedelta(days=2),
        private=private,
    )
    game = create_game(host, new_game, "api", now)
    for role in SEATED[1:]:
        game = join_game(game.id, scene.people[role], game.code, "api", now)
    about: dict[str, Any] = {}
    if state == "open":
        about["invitation"] = invitations.invite(game.id, host, scene.people["invited"].email, "en", now).id
    else:
        about["message"] = send_message(fresh(game), host, None, "Hello", now).public_id
        play(game, 3, "resign yes", now, question="")
        about["question"] = game.open_questions.get(seat=1).question
        about["move"] = store_move(fresh(game), host, WrittenMove(about["question"], "income"), "api", now).id
        about["plan"] = _create(scene, f"games/{game.id}/plans", {"plan": {"type": "coup.allow-others"}})
    if state in ("voting", "paused"):
        pausing.propose(game.id, host, None, "api", now)
    if state == "paused":
        for role in ("seated", "bot"):
            pausing.agree(game.id, scene.people[role], "api", now)
    if state == "over":
        for seat in (2, 4):
            play(game, seat, "resign yes", now, question="")
        accept_rematch(game.id, host, {"answers": "sealed"}, "api", now)
    scene.things[f"{state} {private}"] = about
    return fresh(game)


def _create(scene: Scene, path: str, data: dict[str, Any]) -> str:
    """The id of something that the host has made by the API."""
    answer = scene.programs["host"].post(f"/api/v1/{path}/", data, format="json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def _club(scene: Scene) -> dict[str, Any]:
    """A club of the host's, in which one who is out of the game is an organizer; and the link and a member of it."""
    host, now = scene.people["host"], timezone.now()
    club = clubs.create_club(host, "Thursday liars", "", now).club
    places = {role: join_club(scene.people[role], club.code, now) for role in SEATED[1:]}
    clubs.appoint(get_membership(host, club.pk), places["eliminated"].pk, "organizer", now)
    clubs.connect_chat(get_membership(host, club.pk), "slack", "", "https://hooks.example.org/T/B/club", now)
    return {"club": club.pk, "code": club.code, "member": places["bot"].pk}


def _tournament(scene: Scene) -> dict[str, Any]:
    """A tournament of the club, which three have entered."""
    host, now = scene.people["host"], timezone.now()
    new_tournament = NewTournament(
        name="Spring cup",
        format="swiss",
        rules="coup",
        table_size=4,
        rounds=2,
        starts_at=now + timedelta(days=7),
        round_length=timedelta(days=14),
        club=Club.objects.get().pk,
    )
    tournament = create_tournament(host, new_tournament, now)
    for role in ("host", "seated", "eliminated"):
        entering.enter(scene.people[role], tournament.pk, now)
    return {"tournament": tournament.pk}


def _grant(host: Account) -> App:
    """An app of the operator's that acts for the host."""
    app, _ = tokens.register_app(tokens.NewApp("Scores", ["https://scores.example/"], ALL), None)
    token = AppToken(client=app, user=host, type="at", expires_at=timezone.now() + timedelta(hours=1))
    token.set_value("a token")
    token.set_scopes(list(ALL))
    token.save()
    return app


def link_to(scene: Scene, game: Game, name: str) -> str:
    """The token of a link that was mailed: the host's to answer a question, or that of the host's invitation."""
    about = scene.things[f"{game.state} {game.private}"]
    if "invitation" in name:
        page = links.invitation_page(about["invitation"])
    else:
        page = links.question_page(game.id, about["question"], scene.people["host"].pk)
    return page.rstrip("/").rpartition("/")[2]
