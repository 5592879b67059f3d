"""The table of all limits of the server, with which ``tests/games/api/test_limits.py`` compares ``docs/limits.md``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from accounts import blocks, rate_limits, second_factors, tokens
from accounts import rate_limits as allowances
from accounts.rate_limits import SHARES, Policy, account_policy
from config.server import event_stream
from config.server import rate_limits as limits
from games import clubs, moderation
from games.announcements import club_emails
from games.archive import analyses as analyses
from games.mail import smtp_server
from games.play import game_caps, plans, timeouts
from games.tables import arena, chat, invitations, seeks, stand_ins
from games.tournaments import entering, new_tournament, organizing
from notifications import webhooks
from notifications.channels import push

_OWNERS: Final = {"inviter": "account", "mailbox": "mailbox invited", "domain": "domain invited"}
"""The owner of each limit of invitations."""


@dataclass(frozen=True)
class Limit:
    """A row of the table."""

    subject: str
    owner: str
    """The owner of the limit, such as an account or an address."""
    most: str
    code: str = "`rate-limited`"
    """The code of the problem beyond the limit."""
    setting: str = ""
    """The environment variable that changes the limit."""


def markdown_table() -> str:
    """Return all limits of this server as a table in Markdown."""
    rows = [
        f"| {limit.subject} | {limit.owner} | {limit.most} | {limit.code} | "
        f"{f'`{limit.setting}`' if limit.setting else ''} |"
        for limit in _limits()
    ]
    return "\n".join(["| what | of | at most | refused with | setting |", "|---|---|---|---|---|", *rows])


def _limits() -> Iterator[Limit]:
    for part in (_requests, _at_once, _streams, _attempt_limits, _mail, _games, _chat, _programs):
        yield from part()


def _requests() -> Iterator[Limit]:
    account, address = "REQUESTS_PER_ACCOUNT", "REQUESTS_PER_ADDRESS"
    yield _rate_limit("requests by all tokens, apps and sessions", "account", account_policy(), account)
    yield _rate_limit("requests by an app", "app and account", limits.app_policy(), account)
    yield _rate_limit("requests to `/api/` without a valid token", "address", limits.address_policy(), address)
    yield _rate_limit("pages, not logged in", "address", limits.pages_policy(), address)
    yield _rate_limit("requests to `/oauth/token` and `/oauth/revoke`", "address", limits.secrets_policy(), address)
    yield _rate_limit("cards of links", "address", limits.cards_policy(), address)
    yield _rate_limit("requests of an email provider", "address", limits.providers_policy(), account)
    times = f"{limits.NETWORK_TIMES} times what one of its addresses may"
    yield Limit("each of the last five", "network", times, setting=address)


def _at_once() -> Iterator[Limit]:
    most, setting = settings.REQUESTS_AT_ONCE_PER_ADDRESS, "REQUESTS_AT_ONCE_PER_ADDRESS"
    yield Limit("requests in progress", "address", str(most), setting=setting)
    most, setting = settings.CONNECTIONS_PER_ADDRESS, "CONNECTIONS_PER_ADDRESS"
    closed = "the connection is closed"
    yield Limit("open connections, event streams included", "address", str(most), closed, setting)
    mail = str(smtp_server.CONNECTIONS_PER_ADDRESS)
    yield Limit("open connections to the mail server", "address", mail, "a temporary SMTP error")
    times = f"{SHARES[24]} times what one of its addresses may; an IPv6 /56 {SHARES[56]} times"
    yield Limit("each of the last three", "network", times)


def _streams() -> Iterator[Limit]:
    yield Limit("open event streams", "account", str(event_stream.MOST_OF_ACCOUNT))
    yield _rate_limit("bad tokens at the event stream", "address", limits.secrets_policy(), "REQUESTS_PER_ADDRESS")


def _attempt_limits() -> Iterator[Limit]:
    yield _rate_limit("guests", "address", rate_limits.GUESTS)
    yield _rate_limit("guests", "network", rate_limits.GUESTS_OF_SURROUNDINGS)
    yield _rate_limit("guests", "network", rate_limits.GUESTS_IN_DAY)
    yield _rate_limit("apps that register themselves", "address", rate_limits.APPS)
    yield _rate_limit("apps that register themselves", "network", rate_limits.APPS_OF_SURROUNDINGS)
    yield _rate_limit("apps that register themselves", "everyone", rate_limits.APPS_FROM_ANYWHERE)
    yield _rate_limit("wrong passwords for one address", "address", rate_limits.PASSWORDS_FROM_NETWORK)
    yield _rate_limit("wrong passwords for any addresses", "address", rate_limits.PASSWORDS_OF_NETWORK)
    yield _rate_limit("wrong passwords for one account", "everyone", rate_limits.PASSWORDS_FROM_ANYWHERE)
    yield _rate_limit(
        "wrong passwords in browsers that have logged in before", "account", rate_limits.PASSWORDS_OF_KNOWN
    )
    yield _rate_limit("wrong codes of a second factor", "account", rate_limits.FACTORS)
    yield _rate_limit("wrong codes of a second factor", "account", rate_limits.FACTORS_IN_DAY)
    yield _rate_limit("wrong codes for one mailbox", "address", rate_limits.CODES_FROM_NETWORK)
    yield _rate_limit("wrong codes for any mailboxes", "address", rate_limits.CODES_OF_NETWORK)
    yield _rate_limit("wrong codes for one mailbox", "everyone", rate_limits.CODES_FROM_ANYWHERE)
    yield _rate_limit("emails with codes for one purpose", "mailbox", rate_limits.MAIL_PACE)
    yield _rate_limit("emails with codes for one purpose", "mailbox", rate_limits.MAILS_IN_HOUR)
    yield _rate_limit("emails with codes for one purpose", "mailbox", rate_limits.MAILS_IN_DAY)
    yield _rate_limit(
        "emails with codes to any mailboxes", "address", rate_limits.network_email_policy(), "CODE_MAILS_PER_NETWORK"
    )
    yield _rate_limit("codes to new addresses", "account", rate_limits.ADDRESS_CHANGES)
    yield _rate_limit("sign-ups by email", "mailbox", rate_limits.SIGN_UPS_OF_MAILBOX)
    yield _rate_limit("sign-ups by email", "domain", rate_limits.SIGN_UPS_OF_DOMAIN)


def _mail() -> Iterator[Limit]:
    refused = "a temporary SMTP error"
    yield Limit("emails by SMTP", "address", f"{settings.MAILS_PER_ADDRESS} in an hour", refused, "MAILS_PER_ADDRESS")


def _games() -> Iterator[Limit]:
    most = settings.GAMES_AT_ONCE, settings.OPEN_GAMES, settings.OPEN_GAMES_HOSTED
    yield _stored_limit("games that are open or running, seated", most[0], setting="GAMES_AT_ONCE")
    yield _stored_limit("open games, seated", most[1], setting="OPEN_GAMES")
    yield _stored_limit("open games, as host", most[2], setting="OPEN_GAMES_HOSTED")
    yield _rate_limit("games created, rematches included", "account", game_caps.burst_policy(), "GAMES_PER_HOUR")
    yield _rate_limit("games created, rematches included", "account", game_caps.daily_policy(), "GAMES_PER_DAY")
    yield _rate_limit("open games joined", "account", game_caps.join_policy(), "GAMES_PER_HOUR")
    yield _stored_limit("searches for players", seeks.MOST_OPEN)
    yield _rate_limit("searches for players", "account", seeks.pace(), "GAMES_PER_HOUR")
    yield Limit("games in parallel in the arena, of one title", "bot account", str(arena.MOST_AT_ONCE), "`malformed`")
    late = f"{arena.MOST_TIMED_OUT - 1} in an hour; one more, and it is taken out"
    yield Limit("questions in the arena that time out", "bot account", late)
    starts = f"{settings.ARENA_GAMES_PER_HOUR} in an hour; later ones wait"
    yield Limit("games that start in the arena", "server", starts, "", "ARENA_GAMES_PER_HOUR")
    yield _stored_limit("clubs, as a member", clubs.MOST_CLUBS)
    yield _stored_limit("clubs, as their owner", clubs.MOST_OWNED)
    yield _rate_limit("clubs created", "account", clubs.CLUBS_A_DAY)
    yield _rate_limit("clubs joined", "account", clubs.JOINS_A_DAY)
    yield Limit("members", "club", str(clubs.MOST_MEMBERS), "`limit-reached`")
    yield _stored_limit("tournaments that are not over, as host", new_tournament.MOST_HOSTED)
    yield _stored_limit("tournaments that are not over, as a player", entering.MOST_ENTERED)
    yield _rate_limit("tournaments created", "account", new_tournament.DAILY_TOURNAMENTS)
    yield _rate_limit("changes of the date of tournaments", "account", organizing.DAILY_DATE_CHANGES)
    yield _rate_limit("tournaments entered", "account", entering.DAILY_ENTRIES)
    most_entries = new_tournament.MOST_ENTRIES
    entries = f"{most_entries['swiss']}; {most_entries['round-robin']} in a round robin"
    yield Limit("players", "tournament", entries, "`limit-reached`")
    yield Limit(
        "emails about new games", "club and member", f"{club_emails.MOST_IN_DAY} in a day; later ones are left out", ""
    )
    yield _rate_limit("stand-ins named", "account", stand_ins.DAILY_LIMIT)
    yield _stored_limit("plans in a game", plans.MAX_PLANS)
    yield _rate_limit("analyses of finished games that nobody has opened before", "account", analyses.DAILY_ANALYSES)
    yield Limit("rejected moves that are kept", "seat", f"{timeouts.MAX_REJECTED}; the oldest are deleted", "")


def _chat() -> Iterator[Limit]:
    yield Limit("chat messages", "account", f"{chat.MOST_PER_HOUR} in an hour")
    for owner, most, window, _ in invitations.INVITATION_LIMITS:
        yield Limit("invitations", _OWNERS[owner], f"{most} in {_length(window.total_seconds())}")
    yield Limit("reports", "account", f"{moderation.DAILY_LIMIT} in a day")
    yield _stored_limit("people blocked", blocks.MOST)
    yield _stored_limit("people muted", blocks.MOST)
    yield _stored_limit("people followed", blocks.MOST)


def _programs() -> Iterator[Limit]:
    yield _stored_limit("tokens", tokens.MOST)
    yield _stored_limit("apps registered", tokens.MOST_APPS)
    gives_way = "the oldest are deleted"
    yield Limit(
        "access tokens, and refresh tokens, of an app", "app and account", f"{tokens.MOST_TOKENS}; {gives_way}", ""
    )
    yield Limit("passkeys", "account", str(second_factors.MOST_PASSKEYS), "")
    yield _stored_limit("webhooks", webhooks.MOST)
    yield _rate_limit("test messages and repeated messages to a webhook", "account", allowances.WEBHOOK_TESTS)
    yield _rate_limit("test messages to another channel", "account", allowances.CHANNEL_TESTS)
    yield Limit("devices for pushes", "account", f"{push.MOST_DEVICES}; {gives_way}", "")
    yield _rate_limit("exports of all data of the account", "account", allowances.EXPORTS)


def _stored_limit(subject: str, most: int, setting: str = "") -> Limit:
    return Limit(subject, "account", str(most), "`limit-reached`", setting)


def _rate_limit(subject: str, owner: str, policy: Policy, setting: str = "") -> Limit:
    return Limit(subject, owner, f"{policy.quota} in {_length(policy.window.total_seconds())}", setting=setting)


def _length(seconds: float) -> str:
    """Return a duration in its largest whole unit."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds % size == 0:
            count = int(seconds // size)
            return f"a {unit}".replace("a hour", "an hour") if count == 1 else f"{count} {unit}s"
    return f"{int(seconds)} seconds"
