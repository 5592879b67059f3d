"""Email addresses and links with a signed subject: a question, a seat, a chat, an invitation, or one of their pages."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from games.engine import SeatNumber
from notifications import reply_addresses


class QuestionAddress(NamedTuple):
    """The address at which one account answers a question."""

    game: UUID
    question: str
    account: int


class SeatAddress(NamedTuple):
    """The address at which one account gives commands for a seat."""

    game: UUID
    seat: SeatNumber
    account: int


class ChatAddress(NamedTuple):
    """The address for chat messages of one account from a seat to another seat, or to all."""

    game: UUID
    seat: SeatNumber
    to: SeatNumber | None
    account: int


class QuestionPage(NamedTuple):
    """The page on which one account answers one question."""

    game: UUID
    question: str
    account: int


class InvitationAddress(NamedTuple):
    """The address that answers an invitation."""

    invitation: UUID


class InvitationPage(NamedTuple):
    """The page of an invitation."""

    invitation: UUID


def question_address(game: UUID, question: str, account: int) -> str:
    """Return the address at which this account answers this question."""
    return reply_addresses.address(reply_addresses.QUESTION, f"{reply_addresses.short(game)}-{question}-{account}")


def seat_address(game: UUID, seat: SeatNumber, account: int) -> str:
    """Return the address at which this account gives commands for this seat: chat, resign, ``?``."""
    return reply_addresses.address(reply_addresses.SEAT, f"{reply_addresses.short(game)}-{seat}-{account}")


def chat_address(game: UUID, seat: SeatNumber, to: SeatNumber | None, account: int) -> str:
    """Return the reply address at which this account's text that is not a command becomes a chat message."""
    return reply_addresses.address(reply_addresses.CHAT, f"{reply_addresses.short(game)}-{seat}-{to or 0}-{account}")


def invitation_address(invitation: UUID) -> str:
    """Return the address that answers this invitation: join, no, never."""
    return reply_addresses.address(reply_addresses.INVITATION, reply_addresses.short(invitation))


def reply_link(address: str, subject: str, body: str = "") -> str:
    """Return the ``mailto:`` link (RFC 6068) to a prepared reply in the thread of the notification."""
    return f"mailto:{address}?subject={quote(f'Re: {subject}')}" + (f"&body={quote(body)}" if body else "")


def invitation_page(invitation: UUID) -> str:
    """Return the link to the page of an invitation, for its recipient."""
    return f"{settings.PUBLIC_URL}{reverse('pages:invitation', args=[_invited(invitation)])}"


def invitation_stop_page(invitation: UUID) -> str:
    """Return the link with which the recipient of an invitation stops all further emails."""
    return f"{settings.PUBLIC_URL}{reverse('pages:invitation-stop', args=[_invited(invitation)])}"


def _invited(invitation: UUID) -> str:
    return reply_addresses.token(reply_addresses.INVITED, reply_addresses.short(invitation))


def question_page(game: UUID, question: str, account: int, number: int = 0) -> str:
    """Return the link to the page of a question for one account. With a number, to the page of one answer."""
    [page] = question_pages(game, question, account, [number])
    return page


def question_pages(game: UUID, question: str, account: int, numbers: Iterable[int]) -> list[str]:
    """Return the links to the pages of several answers. They share a token."""
    token = reply_addresses.token(reply_addresses.ANSWER, f"{reply_addresses.short(game)}-{question}-{account}")
    paths = (
        reverse("pages:answer-one", args=[token, number]) if number else reverse("pages:answer", args=[token])
        for number in numbers
    )
    return [f"{settings.PUBLIC_URL}{path}" for path in paths]


def game_page(game: UUID, name: str = "game") -> str:
    """Return the link to a page of a game. It leads through the login page."""
    return f"{settings.PUBLIC_URL}{reverse('account_login')}?next={reverse(f'pages:{name}', args=[game])}"


def rules_page(rules: str) -> str:
    """Return the link to the page with the rules of a game, which is public."""
    return f"{settings.PUBLIC_URL}{reverse('pages:rules-of', args=[rules])}"


def parse(
    text: str,
) -> QuestionAddress | SeatAddress | ChatAddress | InvitationAddress | QuestionPage | InvitationPage | None:
    """Return the subject of one of our addresses or links, or None for any other."""
    parts = reply_addresses.read(text)
    if parts is None:
        return None
    kind, subject = parts
    match kind, subject.split("-"):
        case reply_addresses.QUESTION, [game, question, account]:
            return QuestionAddress(reply_addresses.long(game), question, int(account))
        case reply_addresses.SEAT, [game, seat, account]:
            return SeatAddress(reply_addresses.long(game), SeatNumber(int(seat)), int(account))
        case reply_addresses.CHAT, [game, seat, to, account]:
            other = SeatNumber(int(to)) if to != "0" else None
            return ChatAddress(reply_addresses.long(game), SeatNumber(int(seat)), other, int(account))
        case reply_addresses.INVITATION, [invitation]:
            return InvitationAddress(reply_addresses.long(invitation))
        case reply_addresses.INVITED, [invitation]:
            return InvitationPage(reply_addresses.long(invitation))
        case reply_addresses.ANSWER, [game, question, account]:
            return QuestionPage(reply_addresses.long(game), question, int(account))
    return None
