"""Notifications about clubs: a new game, and a new owner."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts import blocks
from accounts.models import Account
from config.core.tasks import enqueue
from games import links
from games.deadlines import deadline_words
from games.event_log import log_store
from games.models import Club, Game, Membership
from games.phrases import isolated, number, quoted, render_phrase
from games.visibility.words import short_code
from notifications import outbox, preferences
from notifications.content import Link, Links, Prose, RenderedNotification
from notifications.models import Notification

CLUB_GAME: Final = "club-game"
"""The reason of the notification that a club has a new game."""
CLUB_OWNER: Final = "club-owner"
"""The reason of the notification to the new owner of a club."""
MOST_IN_DAY: Final = 10
"""The number of new games of a club that its members are notified of in a day."""
TOPIC: Final = "club-game:"
"""The prefix of the topic of notifications about a new game."""


def notify_members(game: Game, now: datetime) -> None:
    """Order a notification for each member who wants to know about new games of the club, except the host.

    Games with bots only and rematches cause no notification and do not count.
    """
    new_games = Game.objects.filter(club=game.club_id, created_at__gt=now - timedelta(days=1), first_match=None)
    if new_games.filter(bot_count__lt=F("seat_count") - 1).count() > MOST_IN_DAY:
        return
    members = Membership.objects.filter(club=game.club_id, hears=True, account__is_active=True, account__is_bot=False)
    orders = [
        outbox.NewNotification(
            f"{CLUB_GAME}:{game.pk}:{account}", CLUB_GAME, account, topic=topic_of(game.pk), patient=True
        )
        for account in members.exclude(account=game.host).values_list("account", flat=True)
    ]
    outbox.schedule(orders, now)
    enqueue("games.tasks.compose_notifications")


def topic_of(game: UUID) -> str:
    """Return the topic of all notifications about one new game."""
    return f"{TOPIC}{game}"


def is_stopped(account: int, topic: str) -> bool:
    """Return whether an account does not want notifications about new games of the club of a topic."""
    return not _memberships(account, topic).filter(hears=True).exists()


def choose(account: int, topic: str, enabled: bool) -> None:
    """Turn notifications about new games of a topic's club on or off for an account."""
    _memberships(account, topic).update(hears=enabled)


def _memberships(account: int, topic: str) -> QuerySet[Membership]:
    club = Game.objects.filter(pk=topic.removeprefix(TOPIC)).values("club")
    return Membership.objects.filter(account=account, club__in=club)


preferences.register_stop_choice(
    TOPIC,
    preferences.StopChoice(
        is_stopped,
        choose,
        title=gettext_lazy("Emails about new games in your club"),
        question=gettext_lazy("Stop these emails? You stay in the club."),
        stopped=gettext_lazy("Emails about new games in this club are off."),
    ),
)


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the content of a notification about a new game, or None if the game is not open or its reader may not
    join.
    """
    rows = Game.objects.select_related("club", "host").prefetch_related("seats")
    game = rows.filter(pk=notification.topic.removeprefix(TOPIC), state=Game.State.OPEN).first()
    account = notification.account
    if game is None or game.club is None or account is None or not _is_for(game, account):
        return None
    with override(account.language):
        return _new_game(game, game.club, account)


def _is_for(game: Game, account: Account) -> bool:
    """Return whether an account may join a game of a club, and wants notifications of it."""
    wants_news = Membership.objects.filter(club=game.club_id, account=account, hears=True).exists()
    players = [seat.account_id for seat in game.seats.all() if seat.account_id]
    return wants_news and account.pk not in players and not blocks.is_any_blocked_between(account.pk, players)


def _new_game(game: Game, club: Club, account: Account) -> RenderedNotification:
    title, code = render_phrase(log_store.rules_of(game).words.title, {}), short_code(game)
    free = game.seat_count - game.bot_count - len(game.seats.all())
    host = "?" if game.host is None else isolated(game.host.name)
    headline = _("%(host)s created a game in %(club)s: %(game)s, game %(code)s.")
    seats = _("Seats: %(seats)s. Free: %(free)s.")
    sentences = (seats % {"seats": number(game.seat_count), "free": number(free)}, *deadline_words.terms(game))
    stop = Link(_("No more emails about new games in this club"), _page(club))
    return RenderedNotification(
        language=account.language,
        subject=f"{title} {code}",
        headline=headline % {"host": host, "club": quoted(club.name), "game": title, "code": isolated(code)},
        blocks=(Prose(sentences), Link(_("Open the game"), links.game_page(game.pk)), Links((stop,))),
        page=links.game_page(game.pk),
    )


def notify_owner(owner: Membership, now: datetime) -> None:
    """Notify the new owner of a club. The notification has no topic, because it is sent once and cannot be muted."""
    account, club = owner.account, owner.club
    with override(account.language):
        notification = RenderedNotification(
            language=account.language,
            subject=_("Your club"),
            headline=_("You’re now the owner of the club %(club)s.") % {"club": quoted(club.name)},
            blocks=(
                Prose((_("You can change its members’ roles, hand it over to someone else, or close it."),)),
                Link(_("Open the club"), _page(club)),
            ),
        )
    key = f"{CLUB_OWNER}:{owner.pk}:{now:%Y%m%d%H%M%S%f}"
    outbox.add_rendered(outbox.NewNotification(key, CLUB_OWNER, account.pk), notification, now)


def _page(club: Club) -> str:
    return f"{settings.PUBLIC_URL}{reverse('pages:club', args=[club.pk])}"
