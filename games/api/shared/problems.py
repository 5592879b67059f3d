"""Refusals as problems: the HTTP status of each code, and the translation of each sentence."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ErrorDetail, NotFound, PermissionDenied, ValidationError

from games.engine import Phrase, SeatNumber
from games.event_log.log_store import UnknownRules
from games.phrases import render_phrase
from games.refusals import Refusal

# The HTTP status of each code of a refusal.
STATUS: Final[Mapping[str, int]] = {
    "malformed": 400,
    "forbidden": 403,
    "not-found": 404,
    "question-closed": 409,
    "conflict": 409,
    "limit-reached": 409,
    "illegal": 422,
    "key-busy": 409,
    "key-reused": 422,
    "rate-limited": 429,
}
# The codes with which a move is not applied.
WHY_NOT: Final = ("malformed", "illegal", "question-closed", "error")


class MoveRefused(APIException):
    """A move that was not applied, for a sender who waited for its outcome. The problem has the move as ``move``."""

    def __init__(self, move: Mapping[str, Any], location: str) -> None:
        reason = move["problem"]
        super().__init__(reason["detail"], reason["code"])
        self.status_code = reason["status"]
        self.members = {"move": move}
        self.headers = {"Location": location, "Preference-Applied": "wait"}


class Refused(APIException):
    """A refusal with one of the codes in ``STATUS``."""

    def __init__(self, code: str, sentence: str, wait: int = 0) -> None:
        super().__init__(sentence, code)
        self.status_code = STATUS[code]
        self.wait = wait
        """The number of seconds after which the request may be repeated, if that can help."""


@contextmanager
def refusals_as_problems() -> Iterator[None]:
    """Turn refusals inside this block into problems with their code, sentence and field."""
    try:
        yield
    except Refusal as refusal:
        raise _problem_of(refusal) from None
    except UnknownRules as error:
        sentence = _("This server doesn’t have the rules “%(rules)s” in version %(version)s.")
        raise Refused("conflict", sentence % {"rules": error.name, "version": error.version}) from None


def _problem_of(refusal: Refusal) -> APIException:
    sentence = render_phrase(refusal.phrase, {})
    match refusal.code:
        case "malformed":
            return ValidationError(_nested_detail(refusal.field, ErrorDetail(sentence, code=refusal.mistake)))
        case "not-found":
            return NotFound()
        case "forbidden":
            return PermissionDenied(sentence)
    return Refused(refusal.code, sentence, refusal.wait)


def _nested_detail(field: str, detail: ErrorDetail) -> Any:
    """Return the error of a field, which may be nested: ``options.highest``."""
    if not field:
        return [detail]
    first, _, rest = field.partition(".")
    return {first: _nested_detail(rest, detail)}


def problem(code: str, phrase: Phrase, names: Mapping[SeatNumber, str]) -> dict[str, Any]:
    """Return a refusal as a part of an answer, such as the reason why a move was not applied."""
    members = {"code": code, "status": STATUS.get(code, 500), "detail": render_phrase(phrase, names)}
    return {**members, "ruling": phrase.ruling or None}
