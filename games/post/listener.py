"""The mail server: it takes answers to our own mails, and nothing else; by SMTP, and by LMTP where that is set."""

import asyncio
import logging
import signal
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from games.post import arrival
from notifications import inbound
from notifications.failures import describe

logger = logging.getLogger(__name__)

THREADS: Final = 4
"""So many mails are stored at once; each thread has a connection to the database."""
MOST_RECIPIENTS: Final = 10
TIMEOUT: Final = 60.0
"""Seconds that a client may be silent."""

NOBODY: Final = "550 5.1.1 There is nobody of this address here"
TOO_MANY: Final = "452 4.5.3 Too many recipients"
TAKEN: Final = "250 2.0.0 Taken"
GO_ON: Final = "354 End data with <CR><LF>.<CR><LF>"
"""What aiosmtpd says to DATA; the next thing it says is about the mail."""
LATER: Final = "451 4.3.0 The mail could not be stored: please try again later"


class Post:
    """What the mail server says: yes to mail for our own reply addresses, once it is stored; it passes nothing on."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Whether mail to this address is taken."""
        if not inbound.takes(address):
            return NOBODY
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store a mail that is in as a whole."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _stored, envelope)

    async def handle_exception(self, error: Exception) -> str:
        """What is said where something went wrong that nobody foresaw."""
        logger.error("a mail could not be taken: %s", describe(error))
        return LATER


def _stored(envelope: Envelope) -> str:
    """Store a mail; what the server says to it."""
    now = timezone.now()
    content = envelope.content
    assert isinstance(content, bytes)
    try:
        close_old_connections()
        arrival.receive(content, envelope.mail_from or "", envelope.rcpt_tos, now)
    except DatabaseError as error:
        logger.error("a mail could not be stored: %s", describe(error))
        return LATER
    finally:
        close_old_connections()
    return TAKEN


class LocalConversation(LMTP):
    """LMTP as RFC 2033 has it: what is said to a mail is said once for each of its recipients."""

    _answers = 1

    async def push(self, status: bytes | str) -> None:
        """Say something."""
        for _ in range(self._answers):
            await super().push(status)
        self._answers = len(self.envelope.rcpt_tos) if status == GO_ON else 1


def conversation(post: Post, kind: type[SMTP] = SMTP) -> SMTP:
    """What talks with one client."""
    return kind(
        post,
        data_size_limit=inbound.LARGEST,
        enable_SMTPUTF8=True,
        hostname=settings.MAIL_DOMAIN,
        ident="Darbar",
        timeout=TIMEOUT,
        loop=asyncio.get_running_loop(),
    )


async def serve() -> None:
    """Take mail until told to end."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with AsyncExitStack() as servers:
        for start in _ways_in(loop):
            await servers.enter_async_context(await start)
        await ended.wait()


def _ways_in(loop: asyncio.AbstractEventLoop) -> Iterator[Coroutine[Any, Any, asyncio.Server]]:
    """What starts each server that is set."""
    yield loop.create_server(partial(conversation, Post()), settings.LISTEN, settings.MAIL_PORT)
    local = partial(conversation, Post(), LocalConversation)
    if settings.LMTP_PORT:
        yield loop.create_server(local, settings.LISTEN, settings.LMTP_PORT)
    if settings.LMTP_SOCKET:
        settings.LMTP_SOCKET.unlink(missing_ok=True)
        yield loop.create_unix_server(local, settings.LMTP_SOCKET)
