"""Players who play over HTTP, with the event stream, and by mail. They repeat requests that fail.

They answer their open questions with random offered answers, and record in the ledger what the server acknowledges.
"""

import json
import queue
import random
import smtplib
import threading
import time
import uuid
from contextlib import suppress
from email.message import EmailMessage
from typing import Any, Final

import httpx

from bench.chaos.ledger import Ledger
from bench.chaos.outside import Relay
from tests.notifications.stream_events.reader import Reader
from tests.server.correspondents import Correspondent, Host, Offer
from tests.server.darbar import Darbar

PAUSE: Final = 0.5
"""Seconds between two looks at the open questions, and before a failed request is repeated."""
FORGETS: Final = 25.0
"""Seconds after which a question that is still open is answered again: its answer may have been refused."""
IDLE: Final = 0.03
"""The share of mails that a player does not answer, so that the clock plays."""


class Stopped(Exception):
    """The run is over."""


class Person(Host):
    """A player with an account, who repeats a request until the server answers."""

    def __init__(self, darbar: Darbar, name: str, relay: Relay, ledger: Ledger, seed: int) -> None:
        super().__init__(darbar, name, relay)
        self.darbar, self.ledger = darbar, ledger
        self.random = random.Random(f"{seed} {name}")
        self.over = threading.Event()
        self.problems: list[str] = []
        """Answers of the server that no player should get."""
        self.broken = ""
        """The reason that this player no longer plays."""
        self._is_quiet = False
        self._answered: dict[tuple[str, str], float] = {}
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def begin(self) -> None:
        """Play until ``end`` is called."""
        self._thread.start()

    def be_quiet(self) -> None:
        """Stop answering, but go on receiving."""
        self._is_quiet = True

    def end(self) -> None:
        self.over.set()
        self._thread.join(60)

    def forget(self) -> None:
        """Forget the answered questions, because a backup was restored."""
        self._answered.clear()

    def _run(self) -> None:
        try:
            self.play()
        except Stopped:
            pass
        except Exception as error:
            self.broken = f"{self.name} stopped playing: {error!r}"
            raise

    def play(self) -> None:
        """Answer open questions until the run is over."""
        while True:
            self.answer_all()
            self.pause(PAUSE * (1 + self.random.random()))

    def pause(self, seconds: float) -> None:
        """Wait. Raises Stopped."""
        if self.over.wait(seconds):
            raise Stopped

    def insist(self, method: str, path: str, data: Any = None, **headers: str) -> httpx.Response:
        """Send a request until the answer is neither a 5xx nor a 429, and return the answer. Raises Stopped."""
        while True:
            with suppress(httpx.HTTPError):
                answer = self.http.request(method, f"/api/v1/{path}", json=data, headers=headers)
                if answer.status_code < 500 and answer.status_code != 429:
                    return answer
                if answer.status_code == 500:
                    self.problems.append(f"500 at {method} {path}")
            self.pause(PAUSE)

    def answer_all(self) -> None:
        """Answer the open questions."""
        answer = self.insist("GET", "questions/")
        if answer.status_code != 200:
            self.problems.append(f"{answer.status_code} at questions/: {answer.text[:200]}")
            return
        for question in answer.json()["results"]:
            if question["moves"] and not self._is_quiet:
                self._answer(question)

    def _answer(self, question: dict[str, Any]) -> None:
        key = (question["game"], question["id"])
        if time.monotonic() - self._answered.get(key, float("-inf")) < FORGETS:
            return
        self._answered[key] = time.monotonic()
        data = {"question": question["id"], "text": self.random.choice(question["moves"])["text"]}
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        if self.random.random() < 0.5:
            headers["Prefer"] = "wait=3"
        self._note(self.insist("POST", f"games/{question['game']}/moves/", data, **headers))

    def _note(self, answer: httpx.Response) -> None:
        if "Location" not in answer.headers:
            self.ledger.refuse()
            return
        move = answer.headers["Location"].rstrip("/").rpartition("/")[2]
        if answer.status_code == 202:
            self.ledger.move(move)
        else:
            self.ledger.move(move, "applied" if answer.is_success else answer.json()["move"]["state"])


class Streamer(Person):
    """A player who answers when the event stream reports a question."""

    last = ""
    """The id of the last event."""
    _reader: Reader | None = None

    def end(self) -> None:
        self.over.set()
        if self._reader:
            self._reader.close()
        super().end()

    def play(self) -> None:
        token = self.http.headers["Authorization"].removeprefix("Bearer ")
        while True:
            with suppress(OSError, ValueError, IndexError):
                self._listen(Reader(self.darbar.stream_port, token, self.last))
            self.pause(PAUSE)

    def _listen(self, reader: Reader) -> None:
        reader.wire.settimeout(20)  # a comment comes every 15 s
        self._reader = reader
        try:
            while reader.status == 200 and not self.over.is_set() and (event := reader.next()):
                self.last = event.id
                if event.kind == "reset":
                    self.ledger.reset(self.name)
                if event.kind not in ("reset", "ready"):
                    key = f"{self.name} {event.id.partition('.')[2]}"
                    self.ledger.record_arrival(self.ledger.signals, key, json.dumps([event.kind, event.data]))
                if event.kind in ("reset", "ready", "question"):
                    self.answer_all()
        finally:
            reader.close()


class Writer(Person):
    """A player who answers mails."""

    def __init__(self, darbar: Darbar, name: str, relay: Relay, ledger: Ledger, seed: int) -> None:
        super().__init__(darbar, name, relay, ledger, seed)
        self.mailbox: queue.Queue[EmailMessage] = queue.Queue()
        self._person = Correspondent(name, self.email, self._choose)

    def _choose(self, person: Correspondent, text: str, offers: list[Offer]) -> Offer:
        return self.random.choice(offers)

    def play(self) -> None:
        while True:
            with suppress(queue.Empty):
                mail = self.mailbox.get(timeout=PAUSE)
                reply = self._person.read(mail)
                if reply is not None and not self._is_quiet and self.random.random() >= IDLE:
                    self._send(reply)
            self.pause(0)

    def _send(self, reply: EmailMessage) -> None:
        """Send a mail until it is accepted or permanently refused."""
        while True:
            try:
                with smtplib.SMTP("127.0.0.1", self.darbar.mail_port, timeout=30) as server:
                    server.send_message(reply, from_addr=self.email)
                self.ledger.mail(str(reply["To"]))
                return
            except smtplib.SMTPResponseException as error:
                if error.smtp_code >= 500:
                    self.problems.append(f"{error.smtp_code} to a mail: {error.smtp_error!r}")
                    return
            except smtplib.SMTPRecipientsRefused as error:
                if all(code >= 500 for code, _ in error.recipients.values()):
                    self.problems.append(f"a recipient was refused: {error.recipients}")
                    return
            except (OSError, smtplib.SMTPException):
                pass
            self.pause(PAUSE)


class Postman(threading.Thread):
    """Puts the mails of the relay into the mailboxes of the writers."""

    def __init__(self, relay: Relay, writers: list[Writer]) -> None:
        super().__init__(name="postman", daemon=True)
        self._relay = relay
        self._mailboxes = {writer.email: writer.mailbox for writer in writers}
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            with suppress(queue.Empty):
                address, mail = self._relay.came.get(timeout=PAUSE)
                if address in self._mailboxes:
                    self._mailboxes[address].put(mail)
