"""The mail server. It accepts replies to this server's emails and commands to the server's own address, nothing else.

It speaks SMTP, and LMTP if a port or socket for it is set.
"""

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections

from config.core import clock
from config.core.database import (
    time_limits,
)
from config.core.logs import describe_error
from games.mail.intake import quotas
from games.mail.intake.conversation import TOO_BIG, Conversation, Intake, LocalConversation
from games.mail.intake.receive import receive
from games.mail.mailbox.answered import is_proven_stranger
from notifications import received_mail
from notifications.content import addresses

logger = logging.getLogger(__name__)

THREADS: Final = 4
"""The number of emails that are stored at the same time. Each thread has a connection to the database."""
MOST_RECIPIENTS: Final = 10
MOST_REFUSED: Final = 10
"""The number of unknown recipients after which a connection is closed."""
SPARED: Final = 3
"""The number of refusals without a pause. The pause before further ones doubles, from half a second to
``LONGEST_PAUSE``.
"""
LONGEST_PAUSE: Final = 8.0

NOBODY: Final = (
    "550 5.1.1 No such address. To play, reply to an email of Darbar's: each has an address of its own; or write help "
    "to {mailbox}"
)
"""The reply for all unknown addresses. It is always equal, so that nothing can be learnt about existing addresses."""
STRANGER: Final = "550 5.7.1 There is no account of the address that you write from. You can make one at {page}"
"""The reply to a sender without an account, only if the operator's mail server vouches for the sender. Otherwise anyone
could test addresses for accounts.
"""
NOT_THESE: Final = "421 4.7.0 Too many recipients that are none"
TOO_MANY: Final = "452 4.5.3 Too many recipients"
TAKEN: Final = "250 2.0.0 Taken"
LATER: Final = "451 4.3.0 The mail could not be stored: please try again later"
TOO_MUCH: Final = "421 4.7.0 Too much mail from this network: please try again later"


class Post:
    """The handler of SMTP commands. It accepts mail for this server's addresses, stores it, and forwards nothing."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    async def handle_MAIL(  # noqa: N802
        self, server: Conversation, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Begin an email, unless its network has sent too many."""
        if not await self._take_from_quota(server, quotas.take_mail):
            return TOO_MUCH
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: Conversation, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a recipient of this server. Each unknown recipient counts against the quota and is answered more
        slowly.
        """
        if not received_mail.takes(address):
            return _nobody() if server.trusted else await self._refuse_recipient(server)
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY
        if announced_size(envelope) > (limit := received_mail.largest([address])):
            return TOO_BIG.format(limit)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def _refuse_recipient(self, server: Conversation) -> str:
        server.refused += 1
        if not await self._take_from_quota(server, quotas.take_mail):
            return TOO_MUCH
        if server.refused > SPARED:
            await asyncio.sleep(min(0.5 * 2.0 ** (server.refused - SPARED - 1), LONGEST_PAUSE))
        return _nobody() if server.refused < MOST_REFUSED else NOT_THESE

    async def handle_DATA(self, server: Conversation, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store a complete email, unless its network has sent too much."""
        assert isinstance(envelope.content, bytes)
        if not await self._take_from_quota(server, quotas.take_bytes, len(envelope.content)):
            return TOO_MUCH
        reply: str = await self._run_in_thread(_store, envelope, server.trusted)
        return reply

    async def handle_exception(self, error: Exception) -> str:
        """Return the reply after an unexpected error."""
        logger.error("a mail could not be taken: %s", describe_error(error))
        return LATER

    async def _take_from_quota(self, server: Conversation, take: Callable[..., bool], *amount: int) -> bool:
        """Count something against the client's quota, if it has one. Return False if too little is left."""
        if server.trusted:
            return True
        granted: bool = await self._run_in_thread(_take_quota, take, server.peer, *amount)
        return granted

    async def _run_in_thread(self, work: Callable[..., Any], *about: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *about)


def _nobody() -> str:
    return NOBODY.format(mailbox=addresses.mailbox())


def announced_size(envelope: Envelope) -> int:
    """Return the size that the sender has announced, or 0. aiosmtpd has checked its syntax."""
    sizes = [option.partition("=")[2] for option in envelope.mail_options if option.upper().startswith("SIZE=")]
    return int(sizes[0]) if sizes else 0


@time_limits.limited()
def _take_quota(take: Callable[..., bool], address: str, *amount: int) -> bool:
    try:
        close_old_connections()
        return take(address, *amount, clock.now())
    finally:
        close_old_connections()


@time_limits.limited()
def _store(envelope: Envelope, relayed: bool) -> str:
    """Store an email, and return the server's answer."""
    now = clock.now()
    content = envelope.content
    assert isinstance(content, bytes)
    try:
        close_old_connections()
        if relayed and is_proven_stranger(content, envelope.rcpt_tos):
            return STRANGER.format(page=settings.PUBLIC_URL)
        receive(content, envelope.mail_from or "", envelope.rcpt_tos, now, relayed=relayed)
    except (DatabaseError, InterfaceError) as error:
        logger.error("a mail could not be stored: %s", describe_error(error))
        return LATER
    finally:
        close_old_connections()
    return TAKEN


def conversation(post: Post, intake: Intake, kind: type[Conversation] = Conversation) -> SMTP:
    """Return the protocol object of one connection."""
    return kind(post, intake)


async def serve() -> None:
    """Accept mail until the process is asked to stop."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with AsyncExitStack() as servers:
        for start in _listeners(loop):
            await servers.enter_async_context(await start)
        await ended.wait()


def _listeners(loop: asyncio.AbstractEventLoop) -> Iterator[Coroutine[Any, Any, asyncio.Server]]:
    """Yield the coroutine that starts each server that is set."""
    intake = Intake()
    yield loop.create_server(partial(conversation, Post(), intake), settings.LISTEN, settings.MAIL_PORT)
    local = partial(conversation, Post(), intake, LocalConversation)
    if settings.LMTP_PORT:
        yield loop.create_server(local, settings.LISTEN, settings.LMTP_PORT)
    if settings.LMTP_SOCKET:
        settings.LMTP_SOCKET.unlink(missing_ok=True)
        yield loop.create_unix_server(local, settings.LMTP_SOCKET)
