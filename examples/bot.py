"""A bot for Darbar in Python, without libraries. It waits for questions in all its games, and answers them.

    DARBAR_TOKEN=darbar_… python3 bot.py [--open | --join GAME] [URL]

It needs a token with the scopes games:read and games:play. With --open it creates a game with a bot, with --join it
joins one, and it ends with that game. Otherwise it plays all its games until it is stopped. It promises a seed when it
joins. When the game is full, it checks the list of the deal, stores its head in a file, and only then reveals the seed.
"""

import hashlib
import http.client
import json
import os
import random
import secrets
import sys
import time
import uuid
from email.message import Message
from typing import Any
from urllib.parse import urlsplit

HIGHEST_PAUSE = 60


class Darbar:
    """The API, over a single connection."""

    def __init__(self, url: str, token: str) -> None:
        self.url = urlsplit(url)
        self.token = token
        self.connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Message, Any]:
        """Return the status, the headers and the JSON of an answer. Temporary errors are retried with the same key."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        pause = 1
        while True:
            try:
                self.connection = self.connection or self._connect()
                sent = None if body is None else json.dumps(body)
                self.connection.request(method, f"/api/v1/{path}", sent, headers)
                answer = self.connection.getresponse()
                text = answer.read()
                if answer.status != 429 and answer.status < 500:
                    return answer.status, answer.headers, json.loads(text) if text else None
                pause = int(answer.headers.get("Retry-After", pause))
            except (OSError, http.client.HTTPException):
                self.connection = None
            time.sleep(pause)
            pause = min(2 * pause, HIGHEST_PAUSE)

    def _connect(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
        return kind(self.url.netloc, timeout=30)


def choose(question: dict[str, Any]) -> Any:
    """Choose an answer at random. A better bot would look at ``games/{game}/view/`` first."""
    return random.choice(question["moves"])["move"]


def play(darbar: Darbar, game: str | None = None) -> None:
    """Answer all questions until ``game`` is over, or without an end."""
    etag: str | None = None
    headers_to_send: dict[str, str]
    while game is None or darbar.ask("GET", f"games/{game}/")[2]["state"] == "running":
        headers_to_send = {"If_None_Match": etag} if etag else {}
        _, headers, questions = darbar.ask("GET", "questions/", Prefer="wait=10", **headers_to_send)
        if "Preference-Applied" not in headers:
            time.sleep(2)  # too many are waiting; the server asks for a pause
        etag = headers.get("ETag")
        for question in questions["results"] if questions else ():
            answer = {"question": question["id"], "move": choose(question)}
            _, _, result = darbar.ask("POST", f"games/{question['game']}/moves/", answer, Prefer="wait=5")
            print(question["game"][:8], question["reason"], answer["move"], result.get("detail", result.get("state")))


def take_seat(darbar: Darbar, path: str, body: dict[str, Any]) -> str:
    """Take a seat with the digest of a seed, reveal the seed once the game is full, and return the id of the game."""
    seed, heads = secrets.token_hex(32), list[str]()
    body["seed_commitment"] = promise = digest(f"darbar-seed|{seed}")
    game = str(darbar.ask("POST", path, body)[2]["id"])
    while (state := darbar.ask("GET", f"games/{game}/")[2])["state"] in ("open", "starting"):
        if state["deal_head"] not in ("", *heads):
            heads.append(state["deal_head"])  # keep it: verify.py --deal-head asks for it after the game
            with open(f"darbar-deal-{game}.txt", "a", encoding="ascii") as file:
                print(state["deal_head"], file=file)
        elif heads and state["beacon_round"] is None:  # the second look: the list must be the same
            check_list(state, heads, promise)
            darbar.ask("POST", f"games/{game}/seed/", {"seed": seed, "head": heads[0]})
        time.sleep(0.5)
    return game


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def check_list(state: dict[str, Any], heads: list[str], promise: str) -> None:
    """End the program without revealing its seed if the list of the deal is not fixed, or not of this game."""
    listed = json.loads(state["deal_list"])
    promises = [seat["seed_commitment"] for seat in listed["seats"]]
    is_whole = promises == [seat["seed_commitment"] for seat in state["seats"]] and promises.count(promise) == 1
    is_fixed = all(not seat["player"] or seat["seed"] or seat["seed_commitment"] for seat in listed["seats"])
    is_ours = (listed["game"], listed["commitment"]) == (state["id"], state["commitment"])
    if heads != [digest(f"darbar-deal|{state['deal_list']}")] or not (is_whole and is_fixed and is_ours):
        sys.exit("The list of the deal is wrong. The seed stays secret.")


def main() -> None:
    """Play a new game, the game of ``--join``, or all games of the account."""
    words = sys.argv[1:]
    joined = words.pop(words.index("--join") + 1) if "--join" in words else None
    url = next((word for word in words if not word.startswith("-")), "http://localhost:8000")
    darbar = Darbar(url, os.environ["DARBAR_TOKEN"])
    if joined is None and "--open" not in words:
        play(darbar)
    new = {"rules": "coup", "seat_count": 2, "bots": [{}]}
    game = take_seat(darbar, f"games/{joined}/join/", {}) if joined else take_seat(darbar, "games/", new)
    play(darbar, game)
    log = darbar.ask("GET", f"games/{game}/events/")[2]["results"]
    print([line["text"] for line in log if line["text"]][-1])


if __name__ == "__main__":
    main()
