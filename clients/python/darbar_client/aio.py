"""The client for asyncio. Its methods are those of ``client``."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any, Self
from urllib.parse import urlencode

import httpx

from darbar_client._generated import types as t
from darbar_client._generated.async_operations import AsyncOperations
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


class AsyncDarbar(AsyncOperations):
    """A server, as one account sees it. Every operation of the API is a method. Call ``close``, or
    use it in ``async with``.
    """

    def __init__(self, url: str, token: str = "", *, language: str | None = None) -> None:
        self.token = token
        self._http = httpx.AsyncClient(base_url=url, timeout=PATIENCE)
        if language:
            self._http.headers["Accept-Language"] = language
        self._waiting: list[Waiting] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def call(
        self, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str | None], body: Any
    ) -> Any:
        """Return the answer to a request. Temporary errors are retried. Raises Refused, NotModified or Unreachable."""
        return content_of(await self.send(method, path, query=query, headers=headers, body=body))

    async def send(
        self, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str | None], body: Any
    ) -> httpx.Response:
        """Return the response to a request, with its headers. Raises Unreachable."""
        all_headers = request_headers(self.token, method, headers)
        request = self._http.build_request(method, path, params=known_query(query), headers=all_headers, json=body)
        repeatable, attempt = may_repeat(method, headers), 0
        while True:
            outcome = await self._attempt(request)
            pause = pause_after(outcome, attempt, repeatable=repeatable)
            if pause is None:
                return received(outcome)
            await asyncio.sleep(pause)
            attempt += 1

    async def _attempt(self, request: httpx.Request) -> Outcome:
        try:
            return await self._http.send(request, follow_redirects=True)
        except httpx.TransportError as error:
            return error

    async def questions(self, *games: str, wait: int = WAIT) -> AsyncIterator[t.Question]:
        """Yield the account's open questions as they arrive: of these games until all are over, or of all games without
        an end.
        """
        waiting = Waiting(games)
        self._waiting.append(waiting)
        try:
            while True:
                for question in await self._look(waiting, wait):
                    yield question
                if waiting.games and waiting.quiet and await self._are_over(waiting):
                    return
        finally:
            self._waiting.remove(waiting)

    async def _look(self, waiting: Waiting, wait: int) -> list[t.Question]:
        response = await self.send("GET", "/api/v1/questions/", query={}, headers=waiting.headers(wait), body=None)
        try:
            return waiting.new_questions(content_of(response)["results"], response.headers.get("ETag"))
        except NotModified:
            waiting.quiet = True
            return []

    async def _are_over(self, waiting: Waiting) -> bool:
        """Check one game after the other until one is still running. This is one request, and another for each game
        that ended.
        """
        while game := waiting.next_to_check():
            if not waiting.is_over(await self.get_game(game)):
                return False
        return True

    async def results(self, page: t.Page[t.Row]) -> AsyncIterator[t.Row]:
        """Yield the results of a list: those on this page, and on all pages after it."""
        while True:
            for result in page["results"]:
                yield result
            if page["next"] is None:
                return
            path, query = path_and_query(page["next"])
            page = await self.call("GET", path, query=query, headers={}, body=None)

    async def answer(self, question: t.Question, move: t.Answer | str, *, wait: int = WAIT) -> t.StoredMove:
        """Answer a question with one of its moves, or in notation, and return the outcome.

        Raises Refused if the move is against the rules: ``questions`` yields the question again. If the question was
        closed in the meantime, the state of the outcome is ``rejected``.
        """
        try:
            return await self.send_move(question["game"], move_request(question, move), prefer=f"wait={wait}")
        except Refused as refusal:
            return outcome_of(refusal)
        finally:
            for waiting in self._waiting:
                waiting.answered(question)

    async def reveal(self, promises: Promises, game: str) -> t.Game:
        """Reveal the promised seed of a game if the game waits for it, and store the heads of its deal.

        The list of the deal is checked twice, and once without the token. Raises DealRefused and reveals nothing if it
        is wrong.
        """
        current = await self.get_game(game)
        body = promises.checked(current)
        if body is None:
            promises.note(current)
            return current
        async with AsyncDarbar(str(self._http.base_url)) as stranger:
            published = await stranger.get_commitment(game)
        if published["deal_head"] != body["head"] or promises.checked(await self.get_game(game)) != body:
            raise DealRefused("others are shown another list of the deal")
        return await self.reveal_seed(game, {"seed": body["seed"], "head": body["head"]})

    async def follow_events(self, last: str = "") -> AsyncIterator[Message]:
        """Yield messages for the account as they arrive, without an end. ``last`` is the id of the last message that
        was read.

        The token needs the scope ``games:read``. It is sent to the address in ``get_me``.

        After an interruption, the stream continues with the next message.
        """
        async for message in self._messages("", MessageReader(last)):
            yield message

    async def follow_open_games(
        self, *, rules: str | None = None, seat_count: int | None = None
    ) -> AsyncIterator[Message]:
        """Yield the public games that can be joined, as they appear and disappear: ``open-game`` and ``closed-game``.

        After an interruption all present games are sent again.
        """
        query = urlencode(known_query({"rules": rules, "seat_count": seat_count}))
        async for message in self._messages(f"games/?{query}", MessageReader()):
            yield message

    async def _messages(self, part: str, reader: MessageReader) -> AsyncIterator[Message]:
        address, attempt = (await self.get_me())["stream"] + part, 0
        while True:
            with suppress(httpx.TransportError):
                async for message in self._one_connection(address, reader):
                    attempt = 0
                    yield message
            reader.interrupt()
            await asyncio.sleep(pause_before(attempt))
            attempt = min(attempt + 1, ATTEMPTS)

    async def _one_connection(self, address: str, reader: MessageReader) -> AsyncIterator[Message]:
        headers = {**request_headers(self.token, "GET", {}), **reader.headers()}
        async with self._http.stream("GET", address, headers=headers) as response:
            if response.status_code >= 400:
                await response.aread()
                content_of(response)
            async for line in response.aiter_lines():
                for message in reader.read(line):
                    yield message
