"""The codes of the API's problems, with their statuses and what they mean."""

from collections.abc import Mapping
from typing import Final

PROBLEMS: Final[Mapping[str, tuple[int, str]]] = {
    "malformed": (400, "Something in the request cannot be read or is not taken here; `errors` names each place."),
    "unauthenticated": (401, "There is no token, or it is not known, expired or revoked."),
    "otp-required": (401, "The password is right, and the account asks for a code of its second factor, as `otp`."),
    "otp-wrong": (401, "The code of the second factor is wrong, or was used before."),
    "forbidden": (403, "You may not do this: the token lacks the scope, or it is not yours to do."),
    "not-found": (404, "There is nothing here, or nothing for you."),
    "method-not-allowed": (405, "This address does not take this method; `Allow` names those it takes."),
    "not-acceptable": (406, "The answer is not to be had in a form that `Accept` names."),
    "conflict": (409, "It does not fit how things stand: a seat is taken, a game has begun or is over, "
                      "the same request is at work."),
    "limit-reached": (409, "You have as many of these as one account may; `detail` says how many, and what to do."),
    "not-asked": (409, "A move answers a question that was never put to this seat."),
    "question-closed": (409, "A move came too late: the question is answered already, or its time was over."),
    "too-large": (413, "The body has more bytes than any request may; nothing of it was read."),
    "unsupported-media-type": (415, "The body is not `application/json`."),
    "illegal": (422, "The rules of the game do not allow this move now."),
    "key-reused": (422, "The idempotency key was used for a request with another body."),
    "rate-limited": (429, "Too much at once; `Retry-After` says after how many seconds to try again."),
    "unavailable": (503, "The database does not answer at the moment; `Retry-After` says after how many seconds to try "
                         "again, and `detail` whether anything was stored."),
    "error": (500, "The fault is the server's."),
}  # fmt: skip
"""Every code there is: the status it comes with, and what it means to a program."""
