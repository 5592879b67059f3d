"""What was said at a table, as far as somebody may hear it.

Table talk is for everybody who sits at the table, those who are out of the game among them; a letter is for its
two. Nobody else hears anything, neither now nor after the end: what stands between other people leaves no trace in
what somebody is given, no gap, no count and no order.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import Account
from accounts.people import blocks
from games.engine import SeatNumber
from games.models import Game, Remark, Seat


@dataclass(frozen=True)
class Heard:
    """A remark as one of those who may hear it is given it."""

    id: UUID
    at: datetime
    seat: SeatNumber
    to: SeatNumber | None
    """Whom it was said to; None is all."""
    text: str | None
    """None where it was taken away: by a moderator, or with its author's account."""


def audible(game: Game, reader: Account) -> QuerySet[Remark]:
    """The remarks that this account may hear and wants to, in the order in which they were said."""
    return said_to(game, reader).exclude(author__in=blocks.unheard(reader.pk))


def said_to(game: Game, reader: Account) -> QuerySet[Remark]:
    """The remarks that this account may hear, whether it wants to or not."""
    letters = Q(to__isnull=False) & (Q(author=reader) | Q(reader=reader))
    seated = Seat.objects.filter(game=game, account=reader).exists()
    mine = letters | Q(to__isnull=True) if seated else letters
    return Remark.objects.filter(mine, game=game).order_by("id")


def after(remarks: QuerySet[Remark], game: Game, reader: Account, last: UUID) -> QuerySet[Remark] | None:
    """Those among ``remarks`` that were said after one; None where there is none of this id for the reader."""
    seat = said_to(game, reader).filter(public_id=last).values_list("id", flat=True).first()
    return None if seat is None else remarks.filter(id__gt=seat)


def heard(remark: Remark) -> Heard:
    """A remark as it is given to those who may hear it."""
    to = None if remark.to is None else SeatNumber(remark.to)
    text = None if remark.hidden else remark.text or None
    return Heard(remark.public_id, remark.said_at, SeatNumber(remark.seat), to, text)
