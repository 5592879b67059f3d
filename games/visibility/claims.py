"""Claims that all players know of: who claimed what, how often, and the results of the challenges."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from django.utils.translation import ngettext, pgettext

from games.engine import SPECTATOR, AnyRules, Phrase, SeatNumber, gettext_noop
from games.engine.hindsight import Claims
from games.event_log.lines import Line
from games.event_log.table_events import TableEvent
from games.text.phrases import number, player, render_phrase
from games.visibility.shown_events import show_log

_CLAIMED: Final = "%(claim)s"
_DENIED: Final = gettext_noop("no %(claim)s")


def claims_so_far(rules: AnyRules, names: Mapping[SeatNumber, str], lines: Sequence[Line]) -> tuple[str, ...]:
    """Return a line for each player who has claimed something, from public events."""
    events = [line.event for line in show_log(rules, lines, SPECTATOR) if not isinstance(line.event, TableEvent)]
    by_seat = groupby(rules.claims(events), key=lambda claims: claims.seat)
    return tuple(f"{player(seat, names)}: {_between().join(map(_describe, claims))}" for seat, claims in by_seat)


def name_claim(claims: Claims) -> str:
    """Return the claim in words: to hold a character, or not to hold it."""
    return render_phrase(claim_words(claims.claim, denies=claims.denies), {})


def claim_words(claim: str, *, denies: bool = False) -> Phrase:
    """Return the phrase for a claim in notation."""
    return Phrase(_DENIED if denies else _CLAIMED, {"claim": claim})


def _describe(claims: Claims) -> str:
    """Return a sentence about a player's claims of one character: their number, and the results of the challenges."""
    template = ngettext("%(claim)s once", "%(claim)s %(number)s times", claims.made)
    outcomes = []
    if claims.proved:
        outcome = ngettext("proved once", "proved %(number)s times", claims.proved)
        outcomes.append(outcome % {"number": number(claims.proved)})
    if claims.fallen:
        outcome = ngettext("caught once", "caught %(number)s times", claims.fallen)
        outcomes.append(outcome % {"number": number(claims.fallen)})
    sentence = template % {"claim": name_claim(claims), "number": number(claims.made)}
    return f"{sentence} ({_between().join(outcomes)})" if outcomes else sentence


def _between() -> str:
    return pgettext("between the items of a list", ", ")
