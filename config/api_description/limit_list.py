"""Every limit that somebody outside can meet, in one list: for the API's description and for ``docs/limits.md``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from accounts.limits import attempt_limits
from accounts.limits import rate_limits as allowances
from accounts.limits.rate_limits import Policy, account_policy
from accounts.people import blocks
from accounts.second_factor import factors
from accounts.tokens import apps, grants, tokens
from config.http import event_stream
from config.http import rate_limits as limits
from games.away import stand_ins
from games.lobby import invitations
from games.play import game_caps, plans, timeouts
from games.social import chat, reports
from notifications.recipients import devices
from notifications.webhooks import registry

_OF: Final = {"inviter": "account", "mailbox": "mailbox invited", "domain": "domain invited"}
"""Whom each bound of invitations is about."""


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
    for part in (_requests, _at_once, _streams, _tries, _mail, _games, _chat, _programs):
        yield from part()


def _requests() -> Iterator[Limit]:
    account, address = "REQUESTS_PER_ACCOUNT", "REQUESTS_PER_ADDRESS"
    yield _paced("requests by all tokens, apps and sessions", "account", account_policy(), account)
    yield _paced("requests by an app", "app and account", limits.of_app(), account)
    yield _paced("requests to `/api/` without a valid token", "address", limits.of_address(), address)
    yield _paced("pages, not signed in", "address", limits.of_pages(), address)
    yield _paced("requests to `/oauth/token` and `/oauth/revoke`", "address", limits.of_secrets(), address)
    yield _paced("requests of an email provider", "address", limits.of_providers(), account)
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
    yield _paced("wrong passwords for one address", "address", attempt_limits.PASSWORDS_FROM_NETWORK)
    yield _paced("wrong passwords for any addresses", "address", attempt_limits.PASSWORDS_OF_NETWORK)
    yield _paced("wrong passwords for one account", "everybody", attempt_limits.PASSWORDS_FROM_ANYWHERE)
    yield _paced("wrong passwords in browsers that have logged in before", "account", attempt_limits.PASSWORDS_OF_KNOWN)
    yield _paced("wrong codes of a second factor", "account", attempt_limits.FACTORS)
    yield _paced("wrong codes of a second factor", "account", attempt_limits.FACTORS_IN_DAY)
    yield _paced("wrong codes for one mailbox", "address", attempt_limits.CODES_FROM_NETWORK)
    yield _paced("wrong codes for any mailboxes", "address", attempt_limits.CODES_OF_NETWORK)
    yield _paced("wrong codes for one mailbox", "everybody", attempt_limits.CODES_FROM_ANYWHERE)
    yield _paced("emails with codes for one purpose", "mailbox", attempt_limits.MAIL_PACE)
    yield _paced("emails with codes for one purpose", "mailbox", attempt_limits.MAILS_IN_HOUR)
    yield _paced("emails with codes for one purpose", "mailbox", attempt_limits.MAILS_IN_DAY)
    yield _paced(
        "emails with codes to any mailboxes", "address", attempt_limits.network_email_policy(), "CODE_MAILS_PER_NETWORK"
    )


def _mail() -> Iterator[Limit]:
    refused = "a temporary SMTP error"
    yield Limit("emails by SMTP", "address", f"{settings.MAILS_PER_ADDRESS} in an hour", refused, "MAILS_PER_ADDRESS")


def _games() -> Iterator[Limit]:
    most = settings.GAMES_AT_ONCE, settings.OPEN_GAMES, settings.OPEN_GAMES_HOSTED
    yield _kept("games that are open or running, seated", most[0], setting="GAMES_AT_ONCE")
    yield _kept("open games, seated", most[1], setting="OPEN_GAMES")
    yield _kept("open games, as host", most[2], setting="OPEN_GAMES_HOSTED")
    yield _paced("games created, rematches included", "account", game_caps.in_a_row(), "GAMES_PER_HOUR")
    yield _paced("games created, rematches included", "account", game_caps.in_a_day(), "GAMES_PER_DAY")
    yield _paced("open games joined", "account", game_caps.joins(), "GAMES_PER_HOUR")
    yield _paced("people named to answer for one's seat", "account", stand_ins.DAILY_LIMIT)
    yield _kept("plans in a game", plans.MOST)
    yield Limit("rejected moves that are kept", "seat", f"{timeouts.REJECTED}; the oldest are deleted", "")


def _chat() -> Iterator[Limit]:
    yield Limit("chat messages", "account", f"{chat.MOST_PER_HOUR} in an hour")
    for of, most, within, _ in invitations.BOUNDS:
        yield Limit("invitations", _OF[of], f"{most} in {_length(within.total_seconds())}")
    yield Limit("reports", "account", f"{reports.MOST} in a day")
    yield _kept("people blocked", blocks.MOST)
    yield _kept("people muted", blocks.MOST)


def _programs() -> Iterator[Limit]:
    yield _kept("tokens", tokens.MOST)
    yield _kept("apps made known", apps.MOST)
    gives_way = "the oldest give way"
    yield Limit("access tokens, and refresh tokens, of an app", "app and account", f"{grants.MOST}; {gives_way}", "")
    yield Limit("passkeys", "account", str(factors.MOST_PASSKEYS), "")
    yield _kept("webhooks", registry.MOST)
    yield _paced("messages that try a webhook", "account", allowances.WEBHOOK_TESTS)
    yield Limit("devices for pushes", "account", f"{devices.MOST}; {gives_way}", "")
    yield _paced("exports of all that is kept of me", "account", allowances.EXPORTS)


def _kept(what: str, most: int, setting: str = "") -> Limit:
    return Limit(what, "account", str(most), "`limit-reached`", setting)


def _paced(what: str, of: str, policy: Policy, setting: str = "") -> Limit:
    return Limit(what, of, f"{policy.quota} in {_length(policy.window.total_seconds())}", setting=setting)


def _length(seconds: float) -> str:
    """A length of time in its largest whole unit."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds % size == 0:
            count = int(seconds // size)
            return f"a {unit}".replace("a hour", "an hour") if count == 1 else f"{count} {unit}s"
    return f"{int(seconds)} seconds"
