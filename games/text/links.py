"""The subjects of mail addresses and links: a question, a seat, an invitation, and the pages of these."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from games.engine import SeatNumber
from notifications.content import addresses


class Asked(NamedTuple):
    """A question of a game."""

    game: UUID
    question: str


class Seated(NamedTuple):
    """A seat at a table."""

    game: UUID
    seat: SeatNumber


class Chatting(NamedTuple):
    """A seat, and the recipient of its chat messages: another seat, or all."""

    game: UUID
    seat: SeatNumber
    to: SeatNumber | None


class Shown(NamedTuple):
    """The page on which one person answers one question."""

    game: UUID
    question: str
    account: int


class Invited(NamedTuple):
    """An invitation."""

    invitation: UUID


class InvitedShown(NamedTuple):
    """The page of an invitation."""

    invitation: UUID


def of_question(game: UUID, question: str) -> str:
    """The address that answers this question."""
    return addresses.address(addresses.QUESTION, f"{addresses.short(game)}-{question}")


def of_seat(game: UUID, seat: SeatNumber) -> str:
    """The address that acts for this seat: chat, resign, ``?``."""
    return addresses.address(addresses.SEAT, f"{addresses.short(game)}-{seat}")


def of_chat(game: UUID, seat: SeatNumber, to: SeatNumber | None) -> str:
    """Return the reply address of a seat at which text that is not a command becomes a chat message."""
    return addresses.address(addresses.CHAT, f"{addresses.short(game)}-{seat}-{to or 0}")


def of_invitation(invitation: UUID) -> str:
    """The address that answers this invitation: join, no, never."""
    return addresses.address(addresses.INVITATION, addresses.short(invitation))


def reply(address: str, subject: str, body: str = "") -> str:
    """The ``mailto:`` link (RFC 6068) to a reply that says this already, in the thread of the notification with it."""
    return f"mailto:{address}?subject={quote(f'Re: {subject}')}" + (f"&body={quote(body)}" if body else "")


def page_of_invitation(invitation: UUID) -> str:
    """Return the link to the page of an invitation, for its recipient."""
    return f"{settings.PUBLIC_URL}{reverse('pages:invitation', args=[_invited(invitation)])}"


def stop_of_invitation(invitation: UUID) -> str:
    """Return the link with which the recipient of an invitation stops all further emails."""
    return f"{settings.PUBLIC_URL}{reverse('pages:invitation-stop', args=[_invited(invitation)])}"


def _invited(invitation: UUID) -> str:
    return addresses.token(addresses.INVITED, addresses.short(invitation))


def page_of(game: UUID, question: str, account: int, number: int = 0) -> str:
    """The link to a question's page for the person who is asked; with a number, to one of its answers."""
    [page] = pages_of(game, question, account, [number])
    return page


def pages_of(game: UUID, question: str, account: int, numbers: Iterable[int]) -> list[str]:
    """Return the links for several numbers. Their pages share a token."""
    token = addresses.token(addresses.ANSWER, f"{addresses.short(game)}-{question}-{account}")
    paths = (
        reverse("pages:answer-one", args=[token, number]) if number else reverse("pages:answer", args=[token])
        for number in numbers
    )
    return [f"{settings.PUBLIC_URL}{path}" for path in paths]


def page_of_game(game: UUID, name: str = "game") -> str:
    """Return the link to a page of a game, through the page that logs the reader in."""
    return f"{settings.PUBLIC_URL}{reverse('account_login')}?next={reverse(f'pages:{name}', args=[game])}"


def read(written: str) -> Asked | Seated | Chatting | Invited | Shown | InvitedShown | None:
    """Return the subject of one of our addresses or links, or None for any other."""
    found = addresses.read(written)
    if found is None:
        return None
    kind, subject = found
    match kind, subject.split("-"):
        case addresses.QUESTION, [game, question]:
            return Asked(addresses.long(game), question)
        case addresses.SEAT, [game, seat]:
            return Seated(addresses.long(game), SeatNumber(int(seat)))
        case addresses.CHAT, [game, seat, to]:
            return Chatting(addresses.long(game), SeatNumber(int(seat)), SeatNumber(int(to)) if to != "0" else None)
        case addresses.INVITATION, [invitation]:
            return Invited(addresses.long(invitation))
        case addresses.INVITED, [invitation]:
            return InvitedShown(addresses.long(invitation))
        case addresses.ANSWER, [game, question, account]:
            return Shown(addresses.long(game), question, int(account))
    return None
