"""Notifications about clubs: a game was created in one, and somebody has become the owner of one."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import Account
from accounts.people import blocks
from games.deadlines import deadline_words
from games.event_log import log_store
from games.event_log.enqueue import enqueue
from games.models import Club, Game, Membership
from games.text import links
from games.text.game_words import short_code
from games.text.phrases import isolated, number, quoted, render_phrase
from notifications.content.rendered_notification import Link, Links, Prose, RenderedNotification
from notifications.delivery import outbox
from notifications.models import Notification
from notifications.recipients import stopping

CLUB_GAME: Final = "club-game"
"""The reason of the notification that a club has a new game."""
CLUB_OWNER: Final = "club-owner"
"""The reason of the notification to somebody who has become the owner of a club."""
MOST_IN_DAY: Final = 10
"""The number of new games of a club in a day that its members are told of."""
TOPIC: Final = "club-game:"
"""The beginning of the topic of notifications about one new game."""


def notify_members(game: Game, now: datetime) -> None:
    """Order a notification to each member who wants to hear of new games of the club, but the host.

    Games against bots alone and rematches are not told of, and do not count.
    """
    lately = Game.objects.filter(club=game.club_id, created_at__gt=now - timedelta(days=1), first_match=None)
    if lately.filter(bot_count__lt=F("seat_count") - 1).count() > MOST_IN_DAY:
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
    """Return what all notifications about one new game share."""
    return f"{TOPIC}{game}"


def is_stopped(account: int, topic: str) -> bool:
    """Return whether somebody does not hear of new games of the club whose game a topic names."""
    return not _place(account, topic).filter(hears=True).exists()


def choose(account: int, topic: str, wanted: bool) -> None:
    """Let somebody hear, or not hear, of new games of the club whose game a topic names."""
    _place(account, topic).update(hears=wanted)


def _place(account: int, topic: str) -> QuerySet[Membership]:
    club = Game.objects.filter(pk=topic.removeprefix(TOPIC)).values("club")
    return Membership.objects.filter(account=account, club__in=club)


stopping.register(
    TOPIC,
    stopping.Choice(
        is_stopped,
        choose,
        title=gettext_lazy("Emails about new games of your club"),
        question=gettext_lazy("Stop these emails? You stay in the club."),
        stopped=gettext_lazy("Emails about new games of this club are off."),
    ),
)


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return what a notification about a new game says; None where it is open no more, or not for its reader."""
    rows = Game.objects.select_related("club", "host").prefetch_related("seats")
    game = rows.filter(pk=notification.topic.removeprefix(TOPIC), state=Game.State.OPEN).first()
    account = notification.account
    if game is None or game.club is None or account is None or not _is_for(game, account):
        return None
    with override(account.language):
        return _new_game(game, game.club, account)


def _is_for(game: Game, account: Account) -> bool:
    """Return whether somebody may join a game of a club, and wants to hear of it."""
    hears = Membership.objects.filter(club=game.club_id, account=account, hears=True).exists()
    seated = [seat.account_id for seat in game.seats.all() if seat.account_id]
    return hears and account.pk not in seated and not blocks.is_any_blocked_between(account.pk, seated)


def _new_game(game: Game, club: Club, account: Account) -> RenderedNotification:
    title, code = render_phrase(log_store.rules_of(game).words.title, {}), short_code(game)
    free = game.seat_count - game.bot_count - len(game.seats.all())
    host = "?" if game.host is None else isolated(game.host.name)
    headline = _("%(host)s created a game in %(club)s: %(game)s, game %(code)s.")
    seats = _("Seats: %(seats)s. Free: %(free)s.")
    said = (seats % {"seats": number(game.seat_count), "free": number(free)}, *deadline_words.terms(game))
    stop = Link(_("No more emails about new games of this club"), _page(club))
    return RenderedNotification(
        language=account.language,
        subject=f"{title} {code}",
        headline=headline % {"host": host, "club": quoted(club.name), "game": title, "code": isolated(code)},
        blocks=(Prose(said), Link(_("To the game"), links.game_page(game.pk)), Links((stop,))),
    )


def tell_owner(owner: Membership, now: datetime) -> None:
    """Tell somebody that a club is theirs now. It has no topic: it is told once, so there is nothing to stop."""
    account, club = owner.account, owner.club
    with override(account.language):
        written = RenderedNotification(
            language=account.language,
            subject=_("Your club"),
            headline=_("You are now the owner of the club %(club)s.") % {"club": quoted(club.name)},
            blocks=(
                Prose((_("You give its members their roles. You may hand it over to somebody else, or close it."),)),
                Link(_("To the club"), _page(club)),
            ),
        )
    key = f"{CLUB_OWNER}:{owner.pk}:{now:%Y%m%d%H%M%S%f}"
    outbox.add_rendered(outbox.NewNotification(key, CLUB_OWNER, account.pk), written, now)


def _page(club: Club) -> str:
    return f"{settings.PUBLIC_URL}{reverse('pages:club', args=[club.pk])}"
