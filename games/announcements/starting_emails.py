"""Notifications about a table before its deal: joining, revealing a seed, waiting for the beacon, cancellation."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Account
from accounts.profile.local_times import format_moment
from games.announcements.absence_emails import post, rendered
from games.engine import chain
from games.models import Game, Seat
from games.text import links
from games.text.game_words import deal_fingerprint, deal_protection, deck_fingerprint, withheld_seeds
from notifications.content.rendered_notification import Footnote, Link, Prose

JOINED: Final = "joined"
"""The reason of the notification to a player who has joined a table that is not full yet."""
REVEAL: Final = "reveal"
"""The reason of the notification to a player who committed to a seed."""
AWAITS_BEACON: Final = "awaits-beacon"
"""The reason of the notification that the deal waits for the beacon."""
CANCELLED: Final = "cancelled"
"""The reason of the notification that a game was cancelled because its deal could not be protected."""


def joined(game: Game, account: Account, number_of_event: int, now: datetime) -> None:
    """Send a new player the proof that binds the server to the deal, before the last seat is taken."""
    with override(account.language):
        headline = _("You have joined the table: %(game)s, game %(code)s.")
        text = Prose((_("The game begins when everybody is there."),))
        proof = Footnote((deck_fingerprint(game), deal_protection(game)))
        notification = rendered(game, account, headline, text, proof)
        post(game, account, JOINED, number_of_event, notification, now)


def reveal(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Ask each player who committed to a seed to reveal it, with the fingerprint of the deal."""
    for account in (seat.account for seat in seats if seat.seed_commitment):
        if account is None:
            continue
        with override(account.language):
            headline = _("Reveal your secret number in %(game)s, game %(code)s.")
            text = (
                _("The table is full, and all secret numbers and promises are fixed in one list. Keep this email."),
                _(
                    "Open the game in the browser in which you joined. It checks the list, keeps its fingerprint and "
                    "reveals your number. The cards are dealt after that."
                ),
                _("If you are shown another fingerprint of the deal than this one, do not reveal your number."),
            )
            page = Link(_("To the game"), links.game_page(game.pk))
            notification = rendered(
                game, account, headline, Prose(text), page, Footnote((*deal_fingerprint(game), deal_protection(game)))
            )
            post(game, account, REVEAL, number_of_event, notification, now)


def awaits_beacon(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Send the players the fingerprint of the deal before the beacon's number is published."""
    assert game.beacon_round is not None
    published_at = datetime.fromtimestamp(chain.published_at(game.beacon_round), UTC)
    for account in (seat.account for seat in seats):
        if account is None:
            continue
        with override(account.language):
            headline = _("The deal of %(game)s, game %(code)s, waits for the public beacon.")
            text = _(
                "The table is full. Round %(round)s of the public beacon drand is mixed into the cards. It is "
                "published on %(at)s, and nobody can know it before. Keep this email: it shows that everything else "
                "was fixed."
            )
            text = text % {"round": game.beacon_round, "at": format_moment(published_at, ZoneInfo(account.time_zone))}
            proof = Footnote((*deal_fingerprint(game), deal_protection(game)))
            notification = rendered(game, account, headline, Prose((text,)), proof)
            post(game, account, AWAITS_BEACON, number_of_event, notification, now)


def cancelled(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Notify the players that the game is cancelled because its deal could not be protected, and who kept a
    seed back.
    """
    for account in (seat.account for seat in seats):
        if account is None:
            continue
        with override(account.language):
            headline = _("%(game)s, game %(code)s, was cancelled.")
            text = _(
                "The deal could not be protected within a day. The host had chosen to cancel the game in that case."
            )
            notification = rendered(game, account, headline, Prose((text, *withheld_seeds(game))))
            post(game, account, CANCELLED, number_of_event, notification, now)
