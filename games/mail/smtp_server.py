"""The mail server. It accepts replies to this server's emails and commands to the server's own address, nothing else.

It speaks SMTP, and LMTP if a port or socket for it is set. aiosmtpd does not limit the number of connections, their
total duration or the memory for an email: it keeps each line of an email as an object, and a line without an end
forever. This module adds these limits. An unknown recipient counts as an email of the quota, is answered more slowly
each time, and the tenth one ends the connection.
"""

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections

from accounts.rate_limits import LimitedConnection, NetworkLimits
from config.core import clock
from config.core.database import (
    time_limits,
)
from config.core.logs import describe_error, repeated
from games.mail.intake import is_relay, receive, take_bytes, take_mail
from games.mail.sign_up_handler import is_proven_stranger
from notifications import received_mail, reply_addresses

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


CONNECTIONS: Final = 200
CONNECTIONS_PER_ADDRESS: Final = 10
GREETING: Final = 30.0
"""Seconds until a client must have sent its greeting."""
TIMEOUT: Final = 60.0
"""Seconds in which a command, and an email as a whole, must be complete."""
LONGEST: Final = 600.0
"""Seconds that a connection may last."""
COMMANDS: Final = 1000
"""The most uses of each command in one connection."""
MEMORY: Final = 32 * 1024 * 1024
"""Bytes of memory for all emails that are being received."""
OVERRUN: Final = 4 * 1024 * 1024
"""Bytes that are read beyond the size limit, up to the email's end, so that the sender gets the refusal."""
CLOSING: Final = 5.0
"""Seconds in which a client may read the last reply."""

GO_ON: Final = "354 End data with <CR><LF>.<CR><LF>"
TOO_BIG: Final = "552 5.3.4 The email is larger than {} bytes"
FULL: Final = "452 4.3.1 Too much mail is coming in at present: please try again later"
BUSY: Final = "421 4.3.2 Too many connections: please try again later"
SLOW: Final = "421 4.4.2 This took too long"
UNKNOWN_COMMANDS: Final = "421 4.7.0 Too many unknown commands"
_GOODBYE: Final = "502 5.5.1 Too many unrecognized commands"
"""The library's last reply to a client with too many unknown commands."""
_LAST_LINE: Final = b".\r\n"
_END: Final = b"\r\n" + _LAST_LINE


class Intake:
    """The state that all connections of a process share."""

    def __init__(self) -> None:
        self.limits = NetworkLimits(CONNECTIONS, CONNECTIONS_PER_ADDRESS)
        self.relays = NetworkLimits(CONNECTIONS, CONNECTIONS)
        """Connections of trusted mail servers. One server may use all of them."""
        self.bytes = 0
        """The size of all emails that are being received."""


class Conversation(LimitedConnection, SMTP):
    """An SMTP connection with any client."""

    def __init__(self, handler: Any, intake: Intake) -> None:
        super().__init__(
            handler,
            data_size_limit=received_mail.LARGEST,
            enable_SMTPUTF8=True,
            hostname=settings.MAIL_DOMAIN,
            ident="Darbar",
            timeout=TIMEOUT,
            command_call_limit=COMMANDS,
            loop=asyncio.get_running_loop(),
        )
        self.intake = intake
        self.refused = 0
        """The number of refused recipients."""
        self._held = 0
        self._timers: list[asyncio.TimerHandle] = []

    def is_trusted(self, address: str) -> bool:
        """Return True for a mail server of the operator. It has no quota, only the limits of the process."""
        return is_relay(address)

    session: Session
    envelope: Envelope
    transport: asyncio.Transport | None

    @property
    def trusted(self) -> bool:
        """True if the client is a mail server of the operator."""
        return self.is_trusted(self.peer)

    def connection_made(self, transport: Any) -> None:
        """Accept the connection and start its timers."""
        name = transport.get_extra_info("peername")
        trusted = self.is_trusted(name[0] if isinstance(name, tuple) else "")
        self.connection_limits = self.intake.relays if trusted else self.intake.limits
        super().connection_made(transport)
        if self.is_admitted:
            self._timers = [
                self.loop.call_later(GREETING, self._end_if_silent),
                self.loop.call_later(LONGEST, self.end, SLOW),
            ]

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers of the connection."""
        for timer in self._timers:
            timer.cancel()
        super().connection_lost(exc)

    def refuse(self, transport: Any) -> None:
        """Reply that there are too many connections, and close this one."""
        transport.write(f"{BUSY}\r\n".encode())
        transport.close()

    def drop(self) -> None:
        """Close the connection in favour of another client. This client may try again."""
        self.end(BUSY)

    def _end_if_silent(self) -> None:
        if self.session.host_name is None:
            self.end(SLOW)

    def end(self, reply: str) -> None:
        """Send a last reply and close the connection, after ``CLOSING`` even if the client has not read the reply."""
        if self.transport is not None:
            self.transport.write(f"{reply}\r\n".encode())
            self._close()

    def _close(self) -> None:
        if self.transport is not None:
            self.transport.close()
            self._timers.append(self.loop.call_later(CLOSING, self.transport.abort))

    async def push(self, status: bytes | str) -> None:
        """Send a reply. A reply that begins with 421 closes the connection."""
        # The client must now read this reply and send the next command.
        self.waiting_since = self.loop.time()
        if str(status).startswith(_GOODBYE):
            status = UNKNOWN_COMMANDS
        await super().push(status)  # type: ignore[type-var]  # the library takes either
        if str(status).startswith("421"):
            self._close()

    def _timeout_cb(self) -> None:
        """Tell a client that sends nothing why its connection ends."""
        self.end(SLOW)

    async def _call_handler_hook(self, command: str, *arguments: Any) -> Any:
        """Call the handler. Until it returns, the connection is not waiting for its client and is not dropped."""
        self.waiting_since = None
        try:
            return await super()._call_handler_hook(command, *arguments)
        finally:
            self.waiting_since = self.loop.time()

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Receive an email and pass it to the handler."""
        if await self.check_helo_needed():
            return
        if arg:
            await self.push("501 Syntax: DATA")
        elif not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 No recipient was taken")
        else:
            await self.push(GO_ON)
            limit = received_mail.largest(self.envelope.rcpt_tos)
            reply, is_complete = await self._receive(limit)
            self._set_post_data_state()  # type: ignore[no-untyped-call]
            await self.push(reply)
            if not is_complete:
                self._close()

    async def _receive(self, limit: int) -> tuple[str, bool]:
        """Read an email of at most ``limit`` bytes and store it. Return the reply, and whether the email's end was
        read.
        """
        content, refusal, size, tail = bytearray(), "", 0, b"\r\n"
        try:
            while not tail.endswith(_END):
                part = await self._read_more()
                tail = (tail + part[-len(_END) :])[-len(_END) :]
                size += len(part)
                refusal = refusal or self._rejection(size, limit, len(part))
                if size > limit + OVERRUN:
                    return refusal, False
                if refusal:
                    content.clear()
                else:
                    content += part
                self._count_memory(len(content))
            reply = refusal or await self._pass_on(content)
            return reply, True
        finally:
            self._count_memory(0)

    def _count_memory(self, size: int) -> None:
        """Record how many bytes of an email this connection has in memory."""
        self.intake.bytes += size - self._held
        self._held = size

    async def _pass_on(self, content: bytearray) -> str:
        self.envelope.content = _unstuff(content)
        content.clear()
        reply: str = await self._call_handler_hook("DATA")
        return reply

    async def _read_more(self) -> bytes:
        """Return more bytes of an email, at most up to the next line that is a full stop."""
        try:
            return bytes(await self._reader.readuntil(_LAST_LINE))
        except asyncio.LimitOverrunError as error:
            return bytes(await self._reader.read(error.consumed))

    def _rejection(self, size: int, limit: int, more: int) -> str:
        if size - len(_LAST_LINE) > limit:
            return TOO_BIG.format(limit)
        return FULL if self.intake.bytes + more > MEMORY else ""


def _unstuff(content: bytearray) -> bytes:
    """Return an email without the transport's last line and without the full stops that the sender added to lines."""
    del content[-len(_LAST_LINE) :]
    if content.startswith(b"."):
        del content[:1]
    return bytes(content.replace(b"\r\n.", b"\r\n"))


class LocalConversation(Conversation, LMTP):
    """An LMTP connection (RFC 2033) with the operator's own mail server.

    The reply to an email is sent once for each recipient.
    """

    _answers = 1

    def is_trusted(self, address: str) -> bool:
        """Return True, because only the operator's mail server can reach this port."""
        return True

    async def push(self, status: bytes | str) -> None:
        """Send a reply, once for each recipient after an email."""
        for _ in range(self._answers):
            await super().push(status)
        self._answers = len(self.envelope.rcpt_tos) if status == GO_ON else 1


class Post:
    """The handler of SMTP commands. It accepts mail for this server's addresses, stores it, and forwards nothing."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    async def handle_MAIL(  # noqa: N802
        self, server: Conversation, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Begin an email, unless its network has sent too many."""
        if not await self._take_from_quota(server, take_mail):
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
        if not await self._take_from_quota(server, take_mail):
            return TOO_MUCH
        if server.refused > SPARED:
            await asyncio.sleep(min(0.5 * 2.0 ** (server.refused - SPARED - 1), LONGEST_PAUSE))
        return _nobody() if server.refused < MOST_REFUSED else NOT_THESE

    async def handle_DATA(self, server: Conversation, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store a complete email, unless its network has sent too much."""
        assert isinstance(envelope.content, bytes)
        if not await self._take_from_quota(server, take_bytes, len(envelope.content)):
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
        if not granted:
            hint = "mail from %s is over its quota: name a mail server of yours in MAIL_RELAYS"
            logger.warning(hint, server.peer, extra=repeated("mail quota"))
        return granted

    async def _run_in_thread(self, work: Callable[..., Any], *about: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *about)


def _nobody() -> str:
    return NOBODY.format(mailbox=reply_addresses.mailbox())


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
