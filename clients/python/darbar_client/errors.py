"""Exceptions of this client. The types differ in who can fix the problem."""

from typing import Any


class DarbarError(Exception):
    """The base class of this client's exceptions."""


class Unreachable(DarbarError):
    """The server did not answer, even after several attempts."""


class NotModified(DarbarError):
    """The answer with this ETag is still current."""


class Refused(DarbarError):
    """The server refused a request (RFC 9457)."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.problem = problem
        self.code: str = problem.get("code", "")
        """The code that programs go by. A newer server may send one that is not described yet."""
        self.detail: str = problem.get("detail", "")
        """A sentence for people, in the account's language."""
        self.errors: list[dict[str, Any]] = problem.get("errors", [])
        """All faults of the request, each with its ``pointer`` or ``parameter``."""
        super().__init__(f"{status} {self.code}: {self.detail}")
