"""Conversations by SMTP and LMTP, bounded in time, number and memory.

What is not bounded by aiosmtpd is here: how many there are, how long one lasts, and how a mail is read. aiosmtpd keeps
each line of a mail as an object of its own, and a line without an end for ever.
"""

import asyncio
import logging
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax
from django.conf import settings

from accounts.limits.connections import LimitedConnection, NetworkLimits
from games.mail.intake import quotas
from notifications.inbound import received_mail

logger = logging.getLogger(__name__)

CONNECTIONS: Final = 200
CONNECTIONS_PER_ADDRESS: Final = 10
GREETING: Final = 30.0
"""Seconds in which a client has to say its name."""
TIMEOUT: Final = 60.0
"""Seconds in which a command has to be complete, and a mail as a whole."""
LONGEST: Final = 600.0
"""Seconds that a conversation may last."""
COMMANDS: Final = 1000
"""The number of times each command may come in one conversation."""
MEMORY: Final = 32 * 1024 * 1024
"""Bytes of all mails that are being received at once."""
OVERRUN: Final = 4 * 1024 * 1024
"""The bytes beyond its limit that are read of a mail, to its end, so that its sender understands the refusal."""
CLOSING: Final = 5.0
"""Seconds that a client has to read the last answer."""

GO_ON: Final = "354 End data with <CR><LF>.<CR><LF>"
TOO_BIG: Final = "552 5.3.4 The email is larger than {} bytes"
FULL: Final = "452 4.3.1 Too much mail is coming in at present: please try again later"
BUSY: Final = "421 4.3.2 Too many connections: please try again later"
SLOW: Final = "421 4.4.2 This took too long"
_LAST_LINE: Final = b".\r\n"
_END: Final = b"\r\n" + _LAST_LINE


class Intake:
    """The state that all conversations of a process share."""

    def __init__(self) -> None:
        self.limits = NetworkLimits(CONNECTIONS, CONNECTIONS_PER_ADDRESS)
        self.relays = NetworkLimits(CONNECTIONS, CONNECTIONS)
        """For mail servers that are trusted: each may have all of them."""
        self.bytes = 0
        """Of the mails that are being received."""


class Conversation(LimitedConnection, SMTP):
    """A conversation by SMTP with anybody."""

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
        """The number of recipients that were refused."""
        self._held = 0
        self._timers: list[asyncio.TimerHandle] = []

    def is_trusted(self, address: str) -> bool:
        """Return True for a mail server of the operator's: it has no quota and no limit but those in all."""
        return quotas.is_relay(address)

    session: Session
    envelope: Envelope
    transport: asyncio.Transport | None

    @property
    def trusted(self) -> bool:
        """As ``is_trusted`` says of the other side."""
        return self.is_trusted(self.peer)

    def connection_made(self, transport: Any) -> None:
        """Admit the connection, and see to it that it ends."""
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
        """End what was to end it."""
        for timer in self._timers:
            timer.cancel()
        super().connection_lost(exc)

    def refuse(self, transport: Any) -> None:
        """Say that there are too many connections."""
        transport.write(f"{BUSY}\r\n".encode())
        transport.close()

    def drop(self) -> None:
        """Close the connection for one of another client: the client may come again."""
        self.end(BUSY)

    def _end_if_silent(self) -> None:
        if self.session.host_name is None:
            self.end(SLOW)

    def end(self, said: str) -> None:
        """Say a last word and close the connection, soon even if the client reads nothing."""
        if self.transport is not None:
            self.transport.write(f"{said}\r\n".encode())
            self._close()

    def _close(self) -> None:
        if self.transport is not None:
            self.transport.close()
            self._timers.append(self.loop.call_later(CLOSING, self.transport.abort))

    async def push(self, status: bytes | str) -> None:
        """Say something; an answer that begins with 421 is the last word."""
        # From now on it is the client's turn: to read this answer, and to send the next command.
        self.waiting_since = self.loop.time()
        await super().push(status)  # type: ignore[type-var]  # the library takes either
        if str(status).startswith("421"):
            self._close()

    async def _call_handler_hook(self, command: str, *arguments: Any) -> Any:
        """Call the handler. Meanwhile the connection does not wait for its client, and is not closed for others."""
        self.waiting_since = None
        try:
            return await super()._call_handler_hook(command, *arguments)
        finally:
            self.waiting_since = self.loop.time()

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Receive a mail, and hand it to the handler."""
        if await self.check_helo_needed():
            return
        if arg:
            await self.push("501 Syntax: DATA")
        elif not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 No recipient was taken")
        else:
            await self.push(GO_ON)
            most = received_mail.largest(self.envelope.rcpt_tos)
            said, whole = await self._receive(most)
            self._set_post_data_state()  # type: ignore[no-untyped-call]
            await self.push(said)
            if not whole:
                self._close()

    async def _receive(self, most: int) -> tuple[str, bool]:
        """Read a mail of so many bytes at most and have it stored; what is to be said, and whether its end has come."""
        content, refused, size, tail = bytearray(), "", 0, b"\r\n"
        try:
            while not tail.endswith(_END):
                part = await self._read_more()
                tail = (tail + part[-len(_END) :])[-len(_END) :]
                size += len(part)
                refused = refused or self._rejection(size, most, len(part))
                if size > most + OVERRUN:
                    return refused, False
                if refused:
                    content.clear()
                else:
                    content += part
                self._count_memory(len(content))
            said = refused or await self._pass_on(content)
            return said, True
        finally:
            self._count_memory(0)

    def _count_memory(self, size: int) -> None:
        """Note how many bytes of a mail this conversation has in memory."""
        self.intake.bytes += size - self._held
        self._held = size

    async def _pass_on(self, content: bytearray) -> str:
        self.envelope.content = _unstuff(content)
        content.clear()
        said: str = await self._call_handler_hook("DATA")
        return said

    async def _read_more(self) -> bytes:
        """More of a mail, never beyond its end: up to the next full stop that ends a line."""
        try:
            return bytes(await self._reader.readuntil(_LAST_LINE))
        except asyncio.LimitOverrunError as error:
            return bytes(await self._reader.read(error.consumed))

    def _rejection(self, size: int, most: int, more: int) -> str:
        if size - len(_LAST_LINE) > most:
            return TOO_BIG.format(most)
        return FULL if self.intake.bytes + more > MEMORY else ""


def _unstuff(content: bytearray) -> bytes:
    """A mail as it was before it was sent: without the line that ends it, and the full stops added to others."""
    del content[-len(_LAST_LINE) :]
    if content.startswith(b"."):
        del content[:1]
    return bytes(content.replace(b"\r\n.", b"\r\n"))


class LocalConversation(Conversation, LMTP):
    """A conversation by LMTP (RFC 2033) with the operator's own mail server.

    What is said to a mail is said once for each of its recipients.
    """

    _answers = 1

    def is_trusted(self, address: str) -> bool:
        """Return True: nobody else is to reach it."""
        return True

    async def push(self, status: bytes | str) -> None:
        """Say something."""
        for _ in range(self._answers):
            await super().push(status)
        self._answers = len(self.envelope.rcpt_tos) if status == GO_ON else 1
