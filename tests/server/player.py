"""A person who signs up and plays over real HTTP."""

import re
import time
from typing import Any, Protocol, Self

import httpx

from tests.server.darbar import wait_until

PASSWORD = "seven goats on a roof"


class Listening(Protocol):
    """A server on this machine."""

    @property
    def port(self) -> int: ...


class Player:
    """A player with an address and a token."""

    def __init__(self, darbar: Listening, name: str) -> None:
        self.name = name
        self.email = f"{name.lower()}@darbar.example"
        self.http = httpx.Client(base_url=f"http://localhost:{darbar.port}", timeout=30)

    def __enter__(self) -> Self:
        return self.sign_up()

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def sign_up(self) -> Self:
        """From nothing to a token, with the code out of the mailbox."""
        data = {"email": self.email, "password": PASSWORD, "name": self.name}
        self.post("accounts/", data, 202)
        wait_until(lambda: self.mails(), "the code has come")
        match = re.search(r"\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b", self.mails()[0]["text"])
        assert match, self.mails()[0]["text"]
        self.post("accounts/confirm/", {"email": self.email, "code": match[0], "password": PASSWORD}, 200)
        query = {"email": self.email, "password": PASSWORD, "name": "test"}
        self.http.headers["Authorization"] = f"Bearer {self.post('tokens/', query, 201)['token']}"
        return self

    def mails(self) -> list[dict[str, Any]]:
        """Return the received mail of the player, latest first."""
        mails: list[dict[str, Any]] = self.http.get("/mailbox/", params={"to": self.email}).json()["mails"]
        return mails

    def post(self, path: str, body: Any, status: int) -> Any:
        """The answer to JSON, which has this status."""
        answer = self.http.post(f"/api/v1/{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.http.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def question(self, game: str) -> str:
        """Wait for the open question of the game, and return its id."""
        wait_until(lambda: self.get(f"games/{game}/questions/")["results"], f"{self.name} is asked")
        (question,) = self.get(f"games/{game}/questions/")["results"]
        return str(question["id"])

    def send(self, game: str, text: str, key: str = "") -> str:
        """Send an answer; where it can be looked at."""
        data = {"question": self.question(game), "text": text}
        headers = {"Idempotency-Key": key} if key else {}
        answer = self.http.post(f"/api/v1/games/{game}/moves/", json=data, headers=headers)
        assert answer.status_code == 202, answer.text
        return answer.headers["Location"]

    def outcome(self, location: str) -> dict[str, Any]:
        """Wait until a worker has resolved a move, and return its state."""
        deadline = time.monotonic() + 60
        while (move := self.http.get(location).json())["state"] == "received":
            assert time.monotonic() < deadline, "no worker looks at the move"
            time.sleep(0.05)
        return move

    def answer(self, game: str, text: str) -> None:
        """Answer what the game asks, and see it applied."""
        move = self.outcome(self.send(game, text))
        assert move["state"] == "applied", move
