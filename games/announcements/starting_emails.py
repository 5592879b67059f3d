"""Notifications about a table before its deal: of its proof, to whoever has a seed to reveal, and of its end."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Account
from games.announcements.absence_emails import post, rendered
from games.models import Game, Seat
from games.text import links
from games.text.game_words import bound, trust
from notifications.content.rendered_notification import Footnote, Link, Prose

JOINED: Final = "joined"
"""The reason of the notification to whoever has joined a table that is not full yet."""
REVEAL: Final = "reveal"
"""The reason of the notification to a player who committed to a seed."""
CANCELLED: Final = "cancelled"
"""The reason of the notification that a table was cancelled as its deal could not be protected."""


def joined(game: Game, account: Account, number_of_event: int, now: datetime) -> None:
    """Send somebody who has sat down what binds the server to the deal, before the last seat is taken."""
    with override(account.language):
        headline = _("You have joined the table: %(game)s, game %(code)s.")
        told = Prose((_("The game begins when everybody is there."),))
        proof = Footnote((bound(game), trust(game)))
        written = rendered(game, account, headline, told, proof)
        post(game, account, JOINED, number_of_event, written, now)


def reveal(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Ask each player who committed to a seed to reveal it."""
    for account in (seat.account for seat in seats if seat.seed_commitment):
        if account is None:
            continue
        with override(account.language):
            headline = _("Reveal your secret number in %(game)s, game %(code)s.")
            told = _(
                "The table is full. Open the game in the browser in which you joined: it reveals your number by "
                "itself. The cards are dealt after that."
            )
            page = Link(_("To the game"), links.page_of_game(game.pk))
            post(game, account, REVEAL, number_of_event, rendered(game, account, headline, Prose((told,)), page), now)


def cancelled(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Inform everybody that the game is cancelled because its deal could not be protected."""
    for account in (seat.account for seat in seats):
        if account is None:
            continue
        with override(account.language):
            headline = _("%(game)s, game %(code)s, was cancelled.")
            told = _(
                "The deal could not be protected within a day. The host had chosen to cancel the game in that case."
            )
            post(game, account, CANCELLED, number_of_event, rendered(game, account, headline, Prose((told,))), now)
