"""Pairs of accounts that moderators may want to review, with the reasons.

A reason is a sign, not a proof: people in one household share a network, and friends play together. So the server takes
no action on its own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal

from accounts.limits import sightings
from accounts.models import Account, Sighting
from games.archive import pairs

LOOKED_BACK: Final = timedelta(days=90)
"""Games that ended within this time are considered."""
MOST: Final = 100
"""The maximum number of pairs. Pairs with the most signs come first."""
SignName = Literal["mailbox", "browser", "network", "only-each-other", "one-sided"]


@dataclass(frozen=True)
class PairSign:
    """A sign that two accounts may belong to one person, or that one helps the other to win."""

    sign: SignName
    count: int = 1
    """The number of common networks or browsers, or of games."""
    winner: int | None = None
    """The account that gains rating points."""
    won: int = 0
    lost: int = 0


@dataclass(frozen=True)
class AccountPair:
    """Two accounts, the older one first, with the signs."""

    first: Account
    second: Account
    reasons: list[PairSign] = field(default_factory=list)


def pairs_to_review(reader: Account, now: datetime) -> list[AccountPair]:
    """Return the pairs of accounts to review, without pairs that include the moderator."""
    reasons: dict[tuple[int, int], list[PairSign]] = defaultdict(list)
    for first, second, reason in _signs(now):
        if reader.pk not in (first, second):
            reasons[min(first, second), max(first, second)].append(reason)
    pairs = sorted(reasons, key=lambda pair: (-len(reasons[pair]), pair))[:MOST]
    accounts = Account.objects.in_bulk({account for pair in pairs for account in pair})
    return [AccountPair(accounts[first], accounts[second], reasons[first, second]) for first, second in pairs]


def _signs(now: datetime) -> Iterator[tuple[int, int, PairSign]]:
    for first, second in pairs.of_one_mailbox(Account.objects.filter(is_guest=False)):
        yield first, second, PairSign("mailbox")
    for (kind, first, second), count in Counter(sightings.shared(now)).items():
        yield first, second, PairSign("browser" if kind == Sighting.Kind.BROWSER else "network", count)
    for first, second, games in pairs.only_each_other(now - LOOKED_BACK):
        yield first, second, PairSign("only-each-other", games)
    for flow in pairs.one_sided(now - LOOKED_BACK):
        yield flow.winner, flow.loser, PairSign("one-sided", flow.games, flow.winner, flow.won, flow.lost)
