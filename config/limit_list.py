"""Every limit that somebody outside can meet, in one list: for the API's description and for ``docs/limits.md``."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from accounts import tries
from accounts.allowances import Policy, of_account
from config import event_stream, limits


@dataclass(frozen=True)
class Limit:
    """One limit, as it is told."""

    what: str
    of: str
    """Whose: an account's, an address's."""
    most: str
    code: str = "`rate-limited`"
    """The code of the problem that whoever meets it is refused with."""
    setting: str = ""
    """The variable that changes it."""


def table() -> str:
    """All limits of this server as a table in Markdown."""
    rows = [
        f"| {each.what} | {each.of} | {each.most} | {each.code} | {f'`{each.setting}`' if each.setting else ''} |"
        for each in _all()
    ]
    return "\n".join(["| what | of | at most | refused with | setting |", "|---|---|---|---|---|", *rows])


def _all() -> Iterator[Limit]:
    yield from _requests()
    yield from _at_once()
    yield from _streams()
    yield from _tries()


def _requests() -> Iterator[Limit]:
    account, address = "REQUESTS_PER_ACCOUNT", "REQUESTS_PER_ADDRESS"
    yield _paced("requests by all tokens, apps and sessions", "account", of_account(), account)
    yield _paced("requests by an app", "app and account", limits.of_app(), account)
    yield _paced("requests to `/api/` without a valid token", "address", limits.of_address(), address)
    yield _paced("pages, not signed in", "address", limits.of_pages(), address)
    yield _paced("requests to `/oauth/token` and `/oauth/revoke`", "address", limits.of_secrets(), address)
    yield _paced("what a mail provider posts", "address", limits.of_providers(), account)
    times = f"{limits.NETWORK_TIMES} times what one of its addresses may"
    yield Limit("each of the last four", "network", times, setting=address)


def _at_once() -> Iterator[Limit]:
    most, setting = settings.REQUESTS_AT_ONCE_PER_ADDRESS, "REQUESTS_AT_ONCE_PER_ADDRESS"
    yield Limit("requests in progress", "address", str(most), setting=setting)
    most, setting = settings.CONNECTIONS_PER_ADDRESS, "CONNECTIONS_PER_ADDRESS"
    yield Limit("open connections", "address", str(most), "the connection is closed", setting)
    yield Limit("open event streams", "address", str(most), setting=setting)


def _streams() -> Iterator[Limit]:
    yield Limit("open event streams", "account", str(event_stream.MOST_OF_ONE))
    yield _paced("bad tokens at the event stream", "address", limits.of_secrets(), "REQUESTS_PER_ADDRESS")


def _tries() -> Iterator[Limit]:
    yield _paced("wrong passwords for one address", "address", tries.PASSWORDS_FROM_NETWORK)
    yield _paced("wrong passwords for any addresses", "address", tries.PASSWORDS_OF_NETWORK)
    yield _paced("wrong passwords for one account", "everybody", tries.PASSWORDS_FROM_ANYWHERE)
    yield _paced("wrong passwords in browsers that have logged in before", "account", tries.PASSWORDS_OF_KNOWN)
    yield _paced("wrong codes for one mailbox", "address", tries.CODES_FROM_NETWORK)
    yield _paced("wrong codes for any mailboxes", "address", tries.CODES_OF_NETWORK)
    yield _paced("wrong codes for one mailbox", "everybody", tries.CODES_FROM_ANYWHERE)
    yield _paced("mails with codes", "mailbox", tries.MAIL_PACE)
    yield _paced("mails with codes", "mailbox", tries.MAILS_IN_HOUR)
    yield _paced("mails with codes", "mailbox", tries.MAILS_IN_DAY)
    yield _paced("mails with codes to any mailboxes", "address", tries.mails_of_network(), "CODE_MAILS_PER_NETWORK")


def _paced(what: str, of: str, policy: Policy, setting: str = "") -> Limit:
    return Limit(what, of, f"{policy.quota} in {_length(policy.window.total_seconds())}", setting=setting)


def _length(seconds: float) -> str:
    """A length of time in its largest whole unit."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds % size == 0:
            count = int(seconds // size)
            return f"a {unit}".replace("a hour", "an hour") if count == 1 else f"{count} {unit}s"
    return f"{int(seconds)} seconds"
