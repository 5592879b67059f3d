"""The client for threads."""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Self
from urllib.parse import urlencode

import httpx

from darbar_client._generated import types as t
from darbar_client._generated.operations import Operations
from darbar_client.errors import NotModified, Refused
from darbar_client.messages import Message, MessageReader
from darbar_client.promises import DealRefused, Promises
from darbar_client.protocol import (
    ATTEMPTS,
    PATIENCE,
    WAIT,
    Outcome,
    content_of,
    known_query,
    may_repeat,
    move_request,
    outcome_of,
    path_and_query,
    pause_after,
    pause_before,
    received,
    request_headers,
)
from darbar_client.questions import Waiting


class Darbar(Operations):
    """A server, as one account sees it. Every operation of the API is a method. Call ``close``, or
    use it in ``with``.
    """

    def __init__(self, url: str, token: str = "", *, language: str | None = None) -> None:
        self.token = token
        self._http = httpx.Client(base_url=url, timeout=PATIENCE)
        if language:
            self._http.headers["Accept-Language"] = language
        self._waiting: list[Waiting] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def call(
        self, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str | None], body: Any
    ) -> Any:
        """Return the answer to a request. Temporary errors are retried. Raises Refused, NotModified or Unreachable."""
        return content_of(self.send(method, path, query=query, headers=headers, body=body))

    def send(
        self, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str | None], body: Any
    ) -> httpx.Response:
        """Return the response to a request, with its headers. Raises Unreachable."""
        all_headers = request_headers(self.token, method, headers)
        request = self._http.build_request(method, path, params=known_query(query), headers=all_headers, json=body)
        repeatable, attempt = may_repeat(method, headers), 0
        while True:
            outcome = self._attempt(request)
            pause = pause_after(outcome, attempt, repeatable=repeatable)
            if pause is None:
                return received(outcome)
            time.sleep(pause)
            attempt += 1

    def _attempt(self, request: httpx.Request) -> Outcome:
        try:
            return self._http.send(request, follow_redirects=True)
        except httpx.TransportError as error:
            return error

    def questions(self, *games: str, wait: int = WAIT) -> Iterator[t.Question]:
        """Yield the account's open questions as they arrive: of these games until all are over, or of all games without
        an end.
        """
        waiting = Waiting(games)
        self._waiting.append(waiting)
        try:
            while True:
                yield from self._look(waiting, wait)
                if waiting.games and waiting.quiet and self._are_over(waiting):
                    return
        finally:
            self._waiting.remove(waiting)

    def _look(self, waiting: Waiting, wait: int) -> list[t.Question]:
        response = self.send("GET", "/api/v1/questions/", query={}, headers=waiting.headers(wait), body=None)
        try:
            return waiting.new_questions(content_of(response)["results"], response.headers.get("ETag"))
        except NotModified:
            waiting.quiet = True
            return []

    def _are_over(self, waiting: Waiting) -> bool:
        """Check one game after the other until one is still running. This is one request, and another for each game
        that ended.
        """
        while game := waiting.next_to_check():
            if not waiting.is_over(self.get_game(game)):
                return False
        return True

    def results(self, page: t.Page[t.Row]) -> Iterator[t.Row]:
        """Yield the results of a list: those on this page, and on all pages after it."""
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            path, query = path_and_query(page["next"])
            page = self.call("GET", path, query=query, headers={}, body=None)

    def answer(self, question: t.Question, move: t.Answer | str, *, wait: int = WAIT) -> t.StoredMove:
        """Answer a question with one of its moves, or in notation, and return the outcome.

        Raises Refused if the move is against the rules: ``questions`` yields the question again. If the question was
        closed in the meantime, the state of the outcome is ``rejected``.
        """
        try:
            return self.send_move(question["game"], move_request(question, move), prefer=f"wait={wait}")
        except Refused as refusal:
            return outcome_of(refusal)
        finally:
            for waiting in self._waiting:
                waiting.answered(question)

    def reveal(self, promises: Promises, game: str) -> t.Game:
        """Reveal the promised seed of a game if the game waits for it, and store the heads of its deal.

        The list of the deal is checked twice, and once without the token. Raises DealRefused and reveals nothing if it
        is wrong.
        """
        current = self.get_game(game)
        body = promises.checked(current)
        if body is None:
            promises.note(current)
            return current
        with Darbar(str(self._http.base_url)) as stranger:
            published = stranger.get_commitment(game)
        if published["deal_head"] != body["head"] or promises.checked(self.get_game(game)) != body:
            raise DealRefused("others are shown another list of the deal")
        return self.reveal_seed(game, {"seed": body["seed"], "head": body["head"]})

    def follow_events(self, last: str = "") -> Iterator[Message]:
        """Yield messages for the account as they arrive, without an end. ``last`` is the id of the last message that
        was read.

        The token needs the scope ``games:read``. It is sent to the address in ``get_me``.

        After an interruption, the stream continues with the next message.
        """
        yield from self._messages("", MessageReader(last))

    def follow_open_games(self, *, rules: str | None = None, seat_count: int | None = None) -> Iterator[Message]:
        """Yield the public games that can be joined, as they appear and disappear: ``open-game`` and ``closed-game``.

        After an interruption all present games are sent again.
        """
        query = urlencode(known_query({"rules": rules, "seat_count": seat_count}))
        yield from self._messages(f"games/?{query}", MessageReader())

    def _messages(self, part: str, reader: MessageReader) -> Iterator[Message]:
        address, attempt = self.get_me()["stream"] + part, 0
        while True:
            with suppress(httpx.TransportError):
                for message in self._one_connection(address, reader):
                    attempt = 0
                    yield message
            reader.interrupt()
            time.sleep(pause_before(attempt))
            attempt = min(attempt + 1, ATTEMPTS)

    def _one_connection(self, address: str, reader: MessageReader) -> Iterator[Message]:
        headers = {**request_headers(self.token, "GET", {}), **reader.headers()}
        with self._http.stream("GET", address, headers=headers) as response:
            if response.status_code >= 400:
                response.read()
                content_of(response)
            for line in response.iter_lines():
                yield from reader.read(line)
