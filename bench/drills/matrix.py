"""A club of six plays two seasons of a league, and its room on a Matrix homeserver is all that notifies them."""

import hashlib
import hmac
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

import httpx
import msgspec

from bench.ports import free_port
from tests.server.darbar import Darbar, database, wait_until
from tests.server.player import Player

SYNAPSE: Final = "matrix-synapse==1.163.0"
_HOST: Final = "darbar.example"
_NAMES: Final = ("Maryam", "Kaveh", "Sepideh", "Bahareh", "Dariush", "Nasrin")
_WISHES: Final = ("coup", "challenge", "prove", "tax")
"""The moves that everybody prefers, so that a game is over after some ten turns."""
_PATIENCE: Final = 900.0
_SOONER: Final = (
    "UPDATE games_tablechannel SET next_attempt_at = now() WHERE next_attempt_at < now() + '20 s'::interval"
)
"""A message is edited every 15 seconds at most. For this drill, as soon as there is something to say."""
_AT_ONCE: Final = "UPDATE games_tournament SET starts_at = now(), look_at = now() WHERE id = %s"
"""A later season begins at its date, which nobody here waits for."""


def run(folder: Path, size: int) -> Iterator[tuple[str, bool]]:
    """Give a line for each season, one for the room, and one for the emails."""
    synapse = Synapse(folder / "synapse")
    if not synapse.install():
        yield f"matrix: skipped: {SYNAPSE} cannot be fetched", True
        return
    server = Darbar(folder / "data", OUTGOING_LOOPBACK="yes")
    with ExitStack() as stack:
        synapse.start()
        stack.callback(synapse.end)
        server.start()
        stack.callback(server.end)
        room = synapse.create_room("darbar")
        people = [stack.enter_context(Person(server, name, synapse, room)) for name in _NAMES]
        emails = sum(len(person.mails()) for person in people)
        club = _found_club(people, synapse, room)
        league = _found_league(people, club)
        for number in (1, 2):
            yield _play_season(server, people, league, number)
        posted, edited = people[0].seen
        rounds = [
            round
            for season in _seasons(people, league)
            for round in people[0].get(f"tournaments/{season['id']}/rounds/")
        ]
        games, events = sum(len(each["tables"]) for each in rounds), 2 * len(rounds) + 3
        yield (
            f"matrix: {posted} messages for {games} games and {events} events of the league, edited {edited} times",
            games + events == posted < edited,
        )
        more = sum(len(person.mails()) for person in people) - emails
        yield f"matrix: {more} emails", more == 0


class Synapse:
    """A Matrix homeserver on this machine, with a database file."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.port, self._secret = folder, free_port(), secrets.token_hex()
        self._process: subprocess.Popen[bytes] | None = None
        self._tokens: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def install(self) -> bool:
        """Fetch it into an environment of its own; return whether that could be done."""
        uv = str(Path(sys.executable).with_name("uv"))
        made = subprocess.run([uv, "venv", "-q", "--python", sys.executable, str(self._folder)], check=False)
        into = [uv, "pip", "install", "-q", "--python", str(self._folder / "bin" / "python"), SYNAPSE]
        return made.returncode == 0 and subprocess.run(into, check=False, capture_output=True).returncode == 0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        config = self._folder / "homeserver.yaml"
        config.write_bytes(msgspec.json.encode(self._configuration()))  # JSON is YAML too
        command = [str(self._folder / "bin" / "python"), "-m", "synapse.app.homeserver", "-c", str(config)]
        subprocess.run([*command, "--generate-keys"], check=True, capture_output=True, cwd=self._folder)
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        wait_until(self._answers, "the homeserver answers")

    def _configuration(self) -> dict[str, Any]:
        client = {"names": ["client"], "compress": False}
        much = {"per_second": 1000, "burst_count": 1000}
        limits = {f"rc_{each}": much for each in ("message", "registration")}
        return {
            "server_name": _HOST,
            "listeners": [{"port": self.port, "type": "http", "bind_addresses": ["127.0.0.1"], "resources": [client]}],
            "database": {"name": "sqlite3", "args": {"database": str(self._folder / "homeserver.db")}},
            "media_store_path": str(self._folder / "media"),
            "signing_key_path": str(self._folder / "signing.key"),
            "registration_shared_secret": self._secret,
            "trusted_key_servers": [],
            "report_stats": False,
            "rc_joins": {"local": much, "remote": much},
            **limits,
        }

    def _answers(self) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.url}/_matrix/client/versions").status_code == 200
        return False

    def end(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait()

    def token(self, name: str) -> str:
        """The access token of a user, who is registered when first asked for."""
        if name not in self._tokens:
            register = f"{self.url}/_synapse/admin/v1/register"
            nonce = httpx.get(register).json()["nonce"]
            password = secrets.token_hex()
            said = "\0".join((nonce, name, password, "notadmin")).encode()
            mac = hmac.new(self._secret.encode(), said, hashlib.sha1).hexdigest()
            user = {"nonce": nonce, "username": name, "password": password, "admin": False, "mac": mac}
            self._tokens[name] = httpx.post(register, json=user).raise_for_status().json()["access_token"]
        return self._tokens[name]

    def ask(self, user: str, method: str, path: str, said: Any = None) -> Any:
        """The answer to a user's request."""
        headers = {"Authorization": f"Bearer {self.token(user)}"}
        url = f"{self.url}/_matrix/client/v3/{path}"
        return httpx.request(method, url, json=said, headers=headers, timeout=60).raise_for_status().json()

    def create_room(self, user: str) -> str:
        """The id of a room that everybody may join."""
        return str(self.ask(user, "POST", "createRoom", {"preset": "public_chat", "room_version": "11"})["room_id"])


class Person(Player):
    """A player without emails, who looks at a game when the room says something of it, and only then."""

    def __init__(self, server: Darbar, name: str, synapse: Synapse, room: str) -> None:
        super().__init__(server, name)
        self._synapse, self._room, self._since = synapse, room, ""
        self.texts: list[str] = []
        """The messages in the room so far, without their changes."""
        self.seen = (0, 0)
        """The number of messages in the room so far, and of their changes."""

    def sign_up(self) -> Self:
        super().sign_up()
        changed = self.http.patch("/api/v1/me/", json={"preferences": {"mails": False}})
        assert changed.status_code == 200, changed.text
        self._synapse.ask(self.user, "POST", f"join/{self._room}", {})
        return self

    @property
    def user(self) -> str:
        return self.name.lower()

    def look(self) -> None:
        """Read what is new in the room, and answer in the games that it names."""
        since = f"&since={self._since}" if self._since else ""
        found = self._synapse.ask(self.user, "GET", f"sync?timeout=0{since}")
        self._since = found["next_batch"]
        events = found.get("rooms", {}).get("join", {}).get(self._room, {}).get("timeline", {}).get("events", [])
        messages = [event["content"] for event in events if event["type"] == "m.room.message"]
        edits = [message for message in messages if "m.new_content" in message]
        self.texts += [message["body"] for message in messages if message not in edits]
        self.seen = self.seen[0] + len(messages) - len(edits), self.seen[1] + len(edits)
        for game in dict.fromkeys(
            re.findall(r"/games/([0-9a-f-]{36})/", " ".join(message["body"] for message in messages))
        ):
            self._answer(game)

    def _answer(self, game: str) -> None:
        for question in self.http.get(f"/api/v1/games/{game}/questions/").json():
            texts = [each["text"] for each in question["moves"]]
            chosen = next((text for wish in _WISHES for text in texts if text.startswith(wish)), texts[0])
            said = {"question": question["id"], "text": chosen}
            answer = self.http.post(f"/api/v1/games/{game}/moves/", json=said)
            assert answer.status_code in (202, 409), answer.text  # 409: somebody else's challenge closed the window


def _found_club(people: list[Person], synapse: Synapse, room: str) -> str:
    owner, *others = people
    club = owner.post("clubs/", {"name": "Thursday liars"}, 201)
    for other in others:
        other.post("clubs/join/", {"code": club["code"]}, 200)
    chat = {"app": "matrix", "address": f"{synapse.url}/{room}", "secret": synapse.token("darbar")}
    connected = owner.http.put(f"/api/v1/clubs/{club['id']}/channel/", json=chat)
    assert connected.status_code == 200, connected.text
    for person in people:
        handle = {"handle": f"@{person.user}:{_HOST}"}
        given = person.http.put(f"/api/v1/clubs/{club['id']}/channel/handle/", json=handle)
        assert given.status_code == 200, given.text
    return str(club["id"])


def _found_league(people: list[Person], club: str) -> str:
    """The id of the first season: two divisions of three, in which each pair plays a game."""
    wanted = {
        "name": "Thursday league",
        "club": club,
        "format": "league",
        "division_size": 3,
        "promoted": 1,
        "season_break": "P7D",
        "rules": "coup",
        "table_size": 2,
        "round_length": "P14D",
        "starts_at": (datetime.now(UTC) + timedelta(days=1)).isoformat(),
    }
    season = str(people[0].post("tournaments/", wanted, 201)["id"])
    for person in people:
        entered = person.http.put(f"/api/v1/tournaments/{season}/entry/", json={})
        assert entered.status_code == 200, entered.text
    return season


def _seasons(people: list[Person], league: str) -> list[dict[str, Any]]:
    """The seasons there are, the newest first."""
    found: list[dict[str, Any]] = people[0].get(f"tournaments/?league={league}")
    return found


def _hears_of(person: Person, season: int) -> bool:
    """Return whether the room has told somebody of a season that is open."""
    person.look()
    return any(text.startswith(f"Season {season} of ") for text in person.texts)


def _play_season(server: Darbar, people: list[Person], league: str, number: int) -> tuple[str, bool]:
    """Begin the newest season and play it to its end; return what came of it, and whether the next is as it should."""
    (season, *_) = _seasons(people, league)
    with database(server) as connection:
        connection.execute(_AT_ONCE, [season["id"]])
    over = _play(server, people, season["id"])
    wait_until(lambda: _hears_of(people[0], number + 1), f"the room says that season {number + 1} is open", 120)
    moved = {each["name"]: each for each in people[0].get(f"tournaments/{season['id']}/standings/") if each["movement"]}
    (following, *_) = _seasons(people, league)
    divisions = {each["name"]: each["division"] for each in people[0].get(f"tournaments/{following['id']}/standings/")}
    changed = ", ".join(f"{name} goes {each['movement']}" for name, each in moved.items())
    line = f"matrix: season {number} of {len(people)} is {over['state']} after {over['round']} rounds; {changed}"
    is_right = (
        (over["state"], following["season"], following["state"], len(divisions)) == ("over", number + 1, "open", 6)
        and sorted(each["movement"] for each in moved.values()) == ["down", "up"]
        and all(divisions[name] == {"up": 1, "down": 2}[each["movement"]] for name, each in moved.items())
    )
    return f"{line}; season {following['season']} is {following['state']}", is_right


def _play(server: Darbar, people: list[Person], tournament: str) -> dict[str, Any]:
    """Let everybody look at the room until the tournament is over; return how it stands."""
    deadline = time.monotonic() + _PATIENCE
    with database(server) as connection:
        while True:
            connection.execute(_SOONER)
            for person in people:
                person.look()
            stands: dict[str, Any] = people[0].get(f"tournaments/{tournament}/")
            if stands["state"] == "over" or time.monotonic() > deadline:
                return stands
            time.sleep(0.5)
