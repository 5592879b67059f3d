"""The codes of the API's problems, with their statuses and meanings."""

from collections.abc import Mapping
from typing import Final

PROBLEMS: Final[Mapping[str, tuple[int, str]]] = {
    "malformed": (400, "Something in the request cannot be read or is not accepted; `errors` names each place."),
    "unauthenticated": (401, "There is no token, or it is unknown, expired or revoked."),
    "otp-required": (401, "The password is right, and the account asks for a code of its second factor, as `otp`."),
    "otp-wrong": (401, "The code of the second factor is wrong, or was used before."),
    "forbidden": (403, "You may not do this: the token lacks the scope, or this is for someone else."),
    "not-found": (404, "This does not exist, or you may not see it."),
    "method-not-allowed": (405, "This address does not take this method; `Allow` names those it takes."),
    "not-acceptable": (406, "None of the formats in `Accept` is available."),
    "conflict": (409, "This is not possible in the current state: a seat is taken, a game has started or is over."),
    "limit-reached": (409, "You have as many of these as an account can have; `detail` says how many, and what to do."),
    "question-closed": (409, "A rejected move: the question was answered, its time is over, or it is not yours."),
    "too-large": (413, "The body has more bytes than a request may have; nothing of it was read."),
    "unsupported-media-type": (415, "The body is not `application/json`."),
    "illegal": (422, "A rejected move: the rules of the game do not allow it now."),
    "key-busy": (409, "A request with this idempotency key is being processed; `Retry-After` says after how many "
                      "seconds to try again."),
    "key-refused": (400, "This operation takes no idempotency key."),
    "key-reused": (422, "The idempotency key was used for a request with another address or body."),
    "rate-limited": (429, "Too many requests; `Retry-After` says after how many seconds to try again."),
    "unavailable": (503, "The database does not answer, or the server is under maintenance; `Retry-After` says after "
                         "how many seconds to try again, and `detail` whether anything was stored."),
    "error": (500, "A mistake of the server, not of the request; its log says which."),
}  # fmt: skip
"""The status and the meaning of each code, for programs."""

REMEDIES: Final[Mapping[str, str]] = {
    "malformed": "Correct each place that `errors` names. Do not send the same again.",
    "unauthenticated": "Send `Authorization: Bearer <token>` with a token that is valid, or get a new one.",
    "otp-required": "Ask the person for the code, and send the request again with it as `otp`.",
    "otp-wrong": "Ask for the next code; each code works once.",
    "forbidden": "Get a token with the scope that the operation names. If this is for someone else, no token helps.",
    "not-found": "Check the id and its owner: something you may not see is answered as if it did not exist.",
    "method-not-allowed": "Use a method that `Allow` names.",
    "not-acceptable": "Ask for `application/json`, or send no `Accept`.",
    "conflict": "Read the game, or the list that you change, again. Then decide again.",
    "limit-reached": "Delete one that is no longer needed.",
    "question-closed": "Read `questions/` again, and answer what it lists.",
    "too-large": "Send less.",
    "unsupported-media-type": "Send JSON with `Content-Type: application/json`.",
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


ERRORS: Final[Mapping[str, str]] = {
    "address": "This address cannot be used for a channel or webhook.",
    "app-name": "An app may not have this name.",
    "blank": "The text is empty.",
    "bot": "A bot account cannot become a player account.",
    "cursor": "The cursor is not from this list. Fetch `next` as it was given.",
    "date": "Send a date and time, not only a date.",
    "datetime": "Send a date, not a date and time.",
    "empty": "The list is empty.",
    "enabled": "A webhook cannot be switched off; delete it.",
    "handle": "This is not a user ID of that app.",
    "idempotency-key": "The idempotency key is empty or too long, or has characters that are not allowed.",
    "invalid": "The value has the wrong type or form.",
    "invalid-choice": "The value is not one of the choices.",
    "keys": "These are not the keys of a browser's subscription.",
    "lifetime": "The token would expire too early or too late.",
    "malformed": "The options or terms of the game do not allow the value.",
    "make-aware": "This time does not exist in this time zone.",
    "max-length": "The text or the list is too long.",
    "max-string-length": "The number has too many digits.",
    "max-value": "The number is too large.",
    "min-length": "The text or the list is too short.",
    "min-value": "The number is too small.",
    "move-unreadable": "The text is not a move in this game.",
    "name-contact": "The name has a link, an address or a phone number.",
    "name-look-alike": "The name looks like one that is taken.",
    "name-marks": "The name has too many marks on its letters.",
    "name-notation": "The name would be read as a move.",
    "name-number": "The name has no letter.",
    "name-own": "This is your own name.",
    "name-reserved": "The name is kept for the server.",
    "name-taken": "The name is taken.",
    "name-too-long": "The name is too long.",
    "name-unknown": "No player or game has this name.",
    "name-unprintable": "The name has characters that cannot be seen.",
    "not-a-list": "Send a list.",
    "null": "The value may not be null.",
    "null-characters-not-allowed": "The text has a null character.",
    "overflow": "The date or the duration is out of range.",
    "password-context": "The password is little more than the name of a game or of this server.",
    "password-entirely-numeric": "The password has digits only.",
    "password-too-common": "The password is one that many people use.",
    "password-too-short": "The password is too short.",
    "password-too-similar": "The password is too similar to the name or the address.",
    "proof": "Send either the password or the code from the email.",
    "quiet-hours": "Quiet hours need a start and an end.",
    "read-only": "The field is read-only; leave it out.",
    "redirect-uri": "An app cannot be sent back to this address.",
    "required": "The field is missing.",
    "seat": "There is no bot on this seat.",
    "secret": "The secret of a channel is missing or invalid.",
    "sleep": "Sleep hours need a start and an end, and last a minute to 12 hours.",
    "step": "The step of the reminders is neither a part, a duration nor `alone`.",
    "surrogate-characters-not-allowed": "The text has half of a surrogate pair.",
    "time-zone": "There is no such time zone.",
    "twice": "Two fields say the same thing; send one of them.",
    "unknown-field": "The operation has no such field.",
    "unknown-parameter": "The operation has no such parameter.",
    "wrong-code": "The code from the email is wrong or has expired.",
    "wrong-password": "The password is wrong.",
}
"""The meaning of each code, for programs."""


def errors_table() -> str:
    """Return a table of all codes, in Markdown."""
    rows = [f"| `{code}` | {meaning} |" for code, meaning in ERRORS.items()]
    return "\n".join(["| code | what it means |", "|---|---|", *rows])
