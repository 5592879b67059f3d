"""What the addresses and links of mails are about: a question, a seat, the page of a question."""

from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from games.engine import Seat
from notifications import addresses


class Asked(NamedTuple):
    """A question of a game."""

    game: UUID
    question: str


class Seated(NamedTuple):
    """A seat at a table."""

    game: UUID
    seat: Seat


class Shown(NamedTuple):
    """The page on which one person answers one question."""

    game: UUID
    question: str
    account: int


def of_question(game: UUID, question: str) -> str:
    """The address that answers this question."""
    return addresses.address(addresses.QUESTION, f"{addresses.short(game)}-{question}")


def of_seat(game: UUID, seat: Seat) -> str:
    """The address that acts for this seat: talk, resign, ``?``."""
    return addresses.address(addresses.SEAT, f"{addresses.short(game)}-{seat}")


def page_of(game: UUID, question: str, account: int, number: int = 0) -> str:
    """The link to a question's page for the person who is asked; with a number, to one of its answers."""
    token = addresses.token(addresses.ANSWER, f"{addresses.short(game)}-{question}-{account}")
    path = reverse("pages:answer-one", args=[token, number]) if number else reverse("pages:answer", args=[token])
    return f"{settings.PUBLIC_URL}{path}"


def read(written: str) -> Asked | Seated | Shown | None:
    """What an address or a link of ours is about; None for one of another kind, and for one that is not ours."""
    found = addresses.read(written)
    if found is None:
        return None
    kind, subject = found
    match kind, subject.split("-"):
        case addresses.QUESTION, [game, question]:
            return Asked(addresses.long(game), question)
        case addresses.SEAT, [game, seat]:
            return Seated(addresses.long(game), Seat(int(seat)))
        case addresses.ANSWER, [game, question, account]:
            return Shown(addresses.long(game), question, int(account))
    return None
