"""Company: the pairs of accounts at which moderators may want to look, each with the reasons.

A reason is a sign and no proof: people of one household share a network, and friends play together. So nothing is done
about it by a machine.
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
"""The games that ended within this time count."""
MOST: Final = 100
"""The most pairs that are shown, those with most reasons first."""
Sign = Literal["mailbox", "browser", "network", "only-each-other", "one-sided"]


@dataclass(frozen=True)
class Reason:
    """A sign that two accounts may be one person's, or feed each other."""

    sign: Sign
    count: int = 1
    """The number of such places, or games."""
    winner: int | None = None
    """The account whose rating rises."""
    won: int = 0
    lost: int = 0


@dataclass(frozen=True)
class Pair:
    """Two accounts, the older one first, and why they are shown."""

    first: Account
    second: Account
    reasons: list[Reason] = field(default_factory=list)


def pairs_to_look_at(reader: Account, now: datetime) -> list[Pair]:
    """Return the pairs of accounts to check, without pairs that include the moderator."""
    reasons: dict[tuple[int, int], list[Reason]] = defaultdict(list)
    for first, second, reason in _found(now):
        if reader.pk not in (first, second):
            reasons[min(first, second), max(first, second)].append(reason)
    most = sorted(reasons, key=lambda two: (-len(reasons[two]), two))[:MOST]
    known = Account.objects.in_bulk({each for two in most for each in two})
    return [Pair(known[first], known[second], reasons[first, second]) for first, second in most]


def _found(now: datetime) -> Iterator[tuple[int, int, Reason]]:
    for first, second in pairs.of_one_mailbox(Account.objects.filter(is_guest=False)):
        yield first, second, Reason("mailbox")
    for (kind, first, second), count in Counter(sightings.shared(now)).items():
        yield first, second, Reason("browser" if kind == Sighting.Kind.BROWSER else "network", count)
    for first, second, games in pairs.only_each_other(now - LOOKED_BACK):
        yield first, second, Reason("only-each-other", games)
    for flow in pairs.one_sided(now - LOOKED_BACK):
        yield flow.winner, flow.loser, Reason("one-sided", flow.games, flow.winner, flow.won, flow.lost)
