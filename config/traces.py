"""Traces of what a request or an email leads to, from the door to the outbox.

Where ``TRACES_URL`` is not set, each function here gives the same silent span. A span has a name, and attributes that
say which route, which task, how many: never people, games, moves or the message of an error.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol

Attributes = Mapping[str, str | int]


class Span(Protocol):
    """A piece of work with a beginning and an end."""

    def tell(self, name: str, **attributes: str | int) -> None:
        """Give it another name, and attributes."""


class Tracing(Protocol):
    """The interface of a tracing library."""

    def span(
        self, name: str, attributes: Attributes, parent: str | None, *, begins: bool
    ) -> AbstractContextManager[Span | None]:
        """A span in the present trace, or in that of ``parent``. Without either it is one only if it ``begins`` one."""

    def carrier(self) -> str | None:
        """Return a token with which another process continues the present trace, or None outside of a trace."""


class _Switch:
    tracing: Tracing | None = None


SWITCH: Final = _Switch()
"""The tracing of this process; None is off."""
_SILENT: Final = nullcontext[Span | None]()


def begin_trace(name: str) -> AbstractContextManager[Span | None]:
    """Begin a trace with a new span, for an incoming request or email."""
    return _SILENT if SWITCH.tracing is None else SWITCH.tracing.span(name, {}, None, begins=True)


def span(name: str, **attributes: str | int) -> AbstractContextManager[Span | None]:
    """A span of the present trace; none outside of one."""
    return _SILENT if SWITCH.tracing is None else SWITCH.tracing.span(name, attributes, None, begins=False)


def follow(carrier: str | None, name: str, **attributes: str | int) -> AbstractContextManager[Span | None]:
    """A span of the trace that another process has begun; without ``carrier`` one of the present trace."""
    return _SILENT if SWITCH.tracing is None else SWITCH.tracing.span(name, attributes, carrier, begins=False)


def carrier() -> str | None:
    """Return a token with which another process continues the present trace, or None without one."""
    return None if SWITCH.tracing is None else SWITCH.tracing.carrier()
