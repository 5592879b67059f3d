"""Exceptions of this client, told apart by who can do something about them."""

from typing import Any


class DarbarError(Exception):
    """Anything that this client raises."""


class Unreachable(DarbarError):
    """The server did not answer, however often it was tried."""


class NotModified(DarbarError):
    """Nothing has changed since the answer whose ETag was sent."""


class Refused(DarbarError):
    """The server refused a request (RFC 9457)."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.problem = problem
        self.code: str = problem.get("code", "")
        """The code that programs go by. A newer server may send one that is not described yet."""
        self.detail: str = problem.get("detail", "")
        """A sentence for people, in their language."""
        self.errors: list[dict[str, Any]] = problem.get("errors", [])
        """Each thing that is wrong with the request, with its ``pointer`` or ``parameter``."""
        super().__init__(f"{status} {self.code}: {self.detail}")
