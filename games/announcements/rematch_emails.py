"""Notifications about the offer of a rematch, and to players who accepted it and do not play."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext
from msgspec.structs import replace

from accounts.blocks import blocked_among, has_blocked
from accounts.local_times import format_moment
from accounts.models import Account
from config.core.tasks import enqueue
from games import links
from games.announcements.batches import topic_of
from games.announcements.table_emails import post, rendered
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Game, RematchOffer, Seat
from games.phrases import isolated, number, quoted
from games.visibility.words import option_lines
from notifications import outbox, preferences
from notifications.content import Link, Links, Prose, RenderedNotification, answerable
from notifications.models import Notification

OFFERED: Final = "rematch-offered"
"""The reason of the notification that another player offers a rematch."""
MISSED: Final = "rematch-lapsed"
"""The reason of the notification to a player who has accepted a rematch and is not in a game."""


def order_offers(offer: RematchOffer, accounts: Iterable[Account], now: datetime) -> None:
    """Ask these players whether they accept a rematch. Nothing follows if they do not answer."""
    latest = now + (offer.until - now) / 2
    orders = [
        outbox.NewNotification(
            f"{OFFERED}:{offer.game_id}:{account.pk}",
            OFFERED,
            account.pk,
            topic=topic_of(offer.game_id),
            patient=True,
            latest=latest,
        )
        for account in accounts
    ]
    outbox.schedule(orders, now)
    enqueue("games.tasks.compose_notifications")


def close_offers(offer: RematchOffer, accounts: Iterable[Account], now: datetime) -> None:
    """Remove the pushes with an offer that these players have answered, or that is over, from their devices."""
    outbox.remove_pushes(topic_of(offer.game_id), [account.pk for account in accounts], [OFFERED], now)


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the question whether a player accepts a rematch, or None if it is out of date or not for them.

    A player who has blocked the one who offers can still accept on the page.
    """
    account = notification.account
    rows = RematchOffer.objects.select_related("game").prefetch_related("game__seats__account", "answers")
    offer = rows.filter(game=UUID(notification.topic.rpartition(":")[2]), open=True).first()
    if offer is None or account is None or notification.topic in preferences.of(account).muted:
        return None
    seats = {seat.number: seat for seat in offer.game.seats.all()}
    own_seat = next((seat for seat in seats.values() if seat.account == account), None)
    answers = {answer.seat: answer.accepted for answer in offer.answers.all()}
    offerer = seats[offer.seat].account
    if own_seat is None or own_seat.number in answers or (offerer and has_blocked(account.pk, offerer.pk)):
        return None
    with override(account.language):
        return _offer(offer, own_seat, account, offerer if answers.get(offer.seat) else None)


def _offer(offer: RematchOffer, own_seat: Seat, account: Account, offerer: Account | None) -> RenderedNotification:
    """Return the question. ``offerer`` is None if they do not take part any more."""
    game, seat = offer.game, SeatNumber(own_seat.number)
    until = format_moment(offer.until, ZoneInfo(account.time_zone))
    starts = _(
        "It starts as soon as everyone has answered, and at the latest on %(until)s, with the players who have "
        "accepted. If you don’t answer, it starts without you."
    )
    lines = (
        starts % {"until": until},
        *option_lines(log_store.rules_of(game), offer.options),
        *blocked_players(game, account),
        _("To accept, reply “rematch”. If you don’t want it, reply “decline”."),
    )
    headline = _("%(owner)s offers a rematch of %(game)s, game %(code)s.")
    if offerer is None:
        headline = _("Do you want a rematch of %(game)s, game %(code)s?")
    notification = rendered(game, account, headline, seat=seat, owner=quoted(offerer.name) if offerer else "")
    address = links.seat_address(game.pk, seat, account.pk)
    answers = (
        (_("Accept the rematch"), pgettext("command in an email", "rematch")),
        (_("No rematch"), pgettext("command in an email", "decline")),
    )
    by_mail = Links(
        tuple(Link(label, links.reply_link(address, notification.subject, word)) for label, word in answers)
    )
    page = Link(_("Open the game"), links.game_page(game.pk))
    return answerable(replace(notification, blocks=(Prose(lines), by_mail, page)))


def blocked_players(game: Game, account: Account) -> tuple[str, ...]:
    """Return a sentence about the players of a game that the account itself has blocked, if there are any."""
    others = {seat.account.pk: seat.account for seat in game.seats.all() if seat.account}
    blocked = blocked_among(account.pk, others)
    names = [isolated(other.name) for pk, other in others.items() if pk in blocked]
    between = pgettext("between the items of a list", ", ")
    sentence = _("You’ve blocked a player who may accept too: %(players)s.")
    return (sentence % {"players": between.join(names)},) if names else ()


def notify_missed(game: Game, account: Account, seat: SeatNumber, now: datetime, *, at_limit: bool) -> None:
    """Notify a player who has accepted a rematch that they do not play in it, and why.

    ``at_limit`` is true for a player who plays in as many games as they may.
    """
    with override(account.language):
        headline, reason = (
            _("There won’t be a rematch of %(game)s, game %(code)s."),
            _("Not enough players can take part."),
        )
        if at_limit:
            headline = _("You aren’t in the rematch of %(game)s, game %(code)s.")
            reason = _("You’re already in %(most)s games, which is the limit.") % {
                "most": number(settings.GAMES_AT_ONCE)
            }
        page = Link(_("Find players"), f"{settings.PUBLIC_URL}{reverse('pages:seeks')}")
        notification = rendered(game, account, headline, Prose((reason,)), page, seat=seat)
    post(game, account, MISSED, game.version, notification, now)
