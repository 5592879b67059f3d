"""SMTP and LMTP sessions with limits on time, number and memory.

aiosmtpd does not limit the number of connections, their total duration or the memory for an email: it keeps each line
of an email as an object, and a line without an end forever. This module adds these limits.
"""

import asyncio
import logging
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax
from django.conf import settings

from accounts.limits.connections import LimitedConnection, NetworkLimits
from games.mail.intake import quotas
from notifications import received_mail

logger = logging.getLogger(__name__)

CONNECTIONS: Final = 200
CONNECTIONS_PER_ADDRESS: Final = 10
GREETING: Final = 30.0
"""Seconds until a client must have sent its greeting."""
TIMEOUT: Final = 60.0
"""Seconds in which a command, and an email as a whole, must be complete."""
LONGEST: Final = 600.0
"""Seconds that a connection may last."""
COMMANDS: Final = 1000
"""How often each command may be used in one connection."""
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
        return quotas.is_relay(address)

    session: Session
    envelope: Envelope
    transport: asyncio.Transport | None

    @property
    def trusted(self) -> bool:
        """Whether the client is a mail server of the operator."""
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
        """Send a last reply and close the connection, soon even if the client does not read."""
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
        await super().push(status)  # type: ignore[type-var]  # the library takes either
        if str(status).startswith("421"):
            self._close()

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
