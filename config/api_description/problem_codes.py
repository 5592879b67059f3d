"""The codes of the API's problems, with their statuses and meanings."""

from collections.abc import Mapping
from typing import Final

PROBLEMS: Final[Mapping[str, tuple[int, str]]] = {
    "malformed": (400, "Something in the request cannot be read or is not accepted; `errors` names each place."),
    "unauthenticated": (401, "There is no token, or it is unknown, expired or revoked."),
    "otp-required": (401, "The password is right, and the account asks for a code of its second factor, as `otp`."),
    "otp-wrong": (401, "The code of the second factor is wrong, or was used before."),
    "forbidden": (403, "You may not do this: the token lacks the scope, or this is for somebody else."),
    "not-found": (404, "This does not exist, or you may not see it."),
    "method-not-allowed": (405, "This address does not take this method; `Allow` names those it takes."),
    "not-acceptable": (406, "None of the formats in `Accept` is available."),
    "conflict": (409, "This is not possible in the present state: a seat is taken, a game has begun or is over."),
    "limit-reached": (409, "You have as many of these as one account may; `detail` says how many, and what to do."),
    "not-asked": (409, "Of a rejected move: this seat was never asked the question."),
    "question-closed": (409, "Of a rejected move: it came too late. The question is answered, or its time was over."),
    "too-large": (413, "The body has more bytes than any request may; nothing of it was read."),
    "unsupported-media-type": (415, "The body is not `application/json`."),
    "misdirected": (421, "This is at another address, which is in the problem: that of the event stream as `stream`."),
    "illegal": (422, "Of a rejected move: the rules of the game do not allow it now."),
    "key-busy": (409, "A request with this idempotency key is being processed; `Retry-After` says after how many "
                      "seconds to try again."),
    "key-refused": (400, "This operation takes no idempotency key."),
    "key-reused": (422, "The idempotency key was used for a request with another address or body."),
    "rate-limited": (429, "Too many requests; `Retry-After` says after how many seconds to try again."),
    "unavailable": (503, "The database does not answer, or the server is under maintenance; `Retry-After` says after "
                         "how many seconds to try again, and `detail` whether anything was stored."),
    "error": (500, "Something went wrong on the server."),
}  # fmt: skip
"""The status and the meaning of each code, for programs."""

REMEDIES: Final[Mapping[str, str]] = {
    "malformed": "Correct each place that `errors` names. Do not send the same again.",
    "unauthenticated": "Send `Authorization: Bearer <token>` with a token that is valid, or get a new one.",
    "otp-required": "Ask the person for the code, and send the request again with it as `otp`.",
    "otp-wrong": "Ask for the next code; each code works once.",
    "forbidden": "Get a token with the scope that the operation names. If this is for somebody else, no token helps.",
    "not-found": "Check the id and its owner: something you may not see is answered as if it did not exist.",
    "method-not-allowed": "Use a method that `Allow` names.",
    "not-acceptable": "Ask for `application/json`, or send no `Accept`.",
    "conflict": "Read the game again and decide again. A repeated request under the same key may be tried again soon.",
    "limit-reached": "Delete one that is no longer needed.",
    "not-asked": "Answer a question that `questions/` lists.",
    "question-closed": "Read `questions/` again. There is nothing left to answer.",
    "too-large": "Send less.",
    "unsupported-media-type": "Send JSON with `Content-Type: application/json`.",
    "misdirected": "Send the request with the same token to the address in `stream`, and keep it for the next time.",
    "illegal": "Choose one of the `moves` of the question. It is still open.",
    "key-busy": "Wait for `Retry-After` seconds and send the same request again, with the same key.",
    "key-refused": "Send the request without `Idempotency-Key`.",
    "key-reused": "Choose a new key for each new request.",
    "rate-limited": "Wait for `Retry-After` seconds. Waiting with `Prefer: wait` needs few requests.",
    "unavailable": "Wait for `Retry-After` seconds and send the same again, a POST with its idempotency key.",
    "error": "Tell the operator the time. A POST with an idempotency key may be sent again.",
}
"""The advice for a program, by problem code."""


def catalogue() -> str:
    """Return a section about each code, in Markdown, so that links can lead to it."""
    return "\n".join(
        f"### {code}\nStatus {status}. {meaning}\n\nWhat to do: {REMEDIES[code]}\n"
        for code, (status, meaning) in PROBLEMS.items()
    )
