"""Traces of the work that a request or an email causes, from its arrival to the outbox.

Without ``TRACES_URL``, every function here returns the same empty context manager. A span has a name and attributes
such as the route, the task or a number, never people, games, moves or the message of an error.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol

Attributes = Mapping[str, str | int]


class Span(Protocol):
    """A piece of work with a beginning and an end."""

    def update(self, name: str, **attributes: str | int) -> None:
        """Rename the span, and add attributes."""


class Tracing(Protocol):
    """The interface of a tracing library."""

    def span(
        self, name: str, attributes: Attributes, parent: str | None, *, begins: bool
    ) -> AbstractContextManager[Span | None]:
        """Open a span in the current trace or that of ``parent``. Without either, only a span that ``begins`` one."""

    def carrier(self) -> str | None:
        """Return a token with which another process continues the current trace, or None outside of a trace."""


class _Switch:
    tracing: Tracing | None = None


SWITCH: Final = _Switch()
"""The tracing library of this process. None if tracing is off."""
_SILENT: Final = nullcontext[Span | None]()


def begin_trace(name: str) -> AbstractContextManager[Span | None]:
    """Begin a trace with a new span, for an incoming request or email."""
    return _SILENT if SWITCH.tracing is None else SWITCH.tracing.span(name, {}, None, begins=True)


def span(name: str, **attributes: str | int) -> AbstractContextManager[Span | None]:
    """Open a span in the current trace. Outside of a trace, nothing is opened."""
    return _SILENT if SWITCH.tracing is None else SWITCH.tracing.span(name, attributes, None, begins=False)


def follow(carrier: str | None, name: str, **attributes: str | int) -> AbstractContextManager[Span | None]:
    """Open a span in the trace that another process has begun, or without ``carrier`` in the current trace."""
    return _SILENT if SWITCH.tracing is None else SWITCH.tracing.span(name, attributes, carrier, begins=False)


def carrier() -> str | None:
    """Return a token with which another process continues the current trace, or None without one."""
    return None if SWITCH.tracing is None else SWITCH.tracing.carrier()
