"""The codes of single mistakes in a malformed request, in the list ``errors`` of its problem."""

from collections.abc import Mapping
from typing import Final

ERRORS: Final[Mapping[str, str]] = {
    "address": "This address of a channel or webhook is not taken here.",
    "app-name": "An app may not have this name.",
    "blank": "The text is empty.",
    "bot": "An account of a bot cannot become a player's.",
    "cursor": "The cursor is not one of this list. Fetch `next` as it was given.",
    "date": "A moment is needed, and this is a date.",
    "datetime": "A date is needed, and this is a moment.",
    "empty": "The list is empty.",
    "enabled": "A webhook cannot be switched off; delete it.",
    "handle": "The handle is none of the chat's app.",
    "idempotency-key": "The idempotency key is empty or too long, or has characters that no key has.",
    "invalid": "The value is of another type or form.",
    "invalid-choice": "The value is not one of those that may be chosen.",
    "keys": "These are not the keys of a browser's subscription.",
    "lifetime": "The token would expire too early or too late.",
    "malformed": "A rule of the game or of the table does not take the value.",
    "make-aware": "There is no such moment in this time zone.",
    "max-length": "The text or the list is too long.",
    "max-string-length": "The number has too many digits.",
    "max-value": "The number is too large.",
    "min-length": "The text or the list is too short.",
    "min-value": "The number is too small.",
    "move-unreadable": "The text is no move of this game.",
    "name-contact": "The name has a link, an address or a phone number.",
    "name-look-alike": "The name looks like one that is taken.",
    "name-marks": "The name has too many marks on its letters.",
    "name-notation": "The name would be read as a move.",
    "name-number": "The name has no letter.",
    "name-own": "This is your own name.",
    "name-reserved": "The name is kept for the server.",
    "name-taken": "The name is taken.",
    "name-too-long": "The name is too long.",
    "name-unknown": "Nobody has this name.",
    "name-unprintable": "The name has characters that cannot be seen.",
    "not-a-list": "A list is needed.",
    "null": "The value may not be null.",
    "null-characters-not-allowed": "The text has a null character.",
    "overflow": "The moment or the time is too far away.",
    "password-context": "The password is little more than a word of this server.",
    "password-entirely-numeric": "The password has digits only.",
    "password-too-common": "The password is one of those that many people use.",
    "password-too-short": "The password is too short.",
    "password-too-similar": "The password is like the name or the address.",
    "proof": "Send either the password or the code from the email.",
    "quiet-hours": "The quiet hours do not fit: they need a beginning and an end.",
    "read-only": "The field is for reading; leave it out.",
    "redirect-uri": "An app cannot be sent back to this address.",
    "required": "The field is missing.",
    "seat": "There is no bot on this seat.",
    "secret": "The secret of a channel is missing, or is not taken.",
    "sleep": "The hours of sleep do not fit.",
    "step": "The step of the reminders is neither a part nor a duration.",
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
