"""Notifications to those who take part in a tournament: it begins at another time, a round begins, it has ended."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext

from accounts.models import Account
from accounts.profile.local_times import format_moment
from games.event_log.enqueue import enqueue
from games.models import Pairing, Tournament, TournamentEntry, TournamentRound
from games.text import links
from games.text.phrases import isolated, number, quoted
from notifications.content.rendered_notification import Block, Link, Links, Prose, RenderedNotification
from notifications.delivery import outbox
from notifications.models import Notification
from notifications.recipients import stopping

MOVED: Final = "tournament-moved"
"""The reason of the notification that a tournament begins at another time."""
ROUND: Final = "tournament-round"
"""The reason of the notification that a round begins."""
ENDED: Final = "tournament-ended"
"""The reason of the notification that a tournament is over, or cancelled."""
TOPIC: Final = "tournament:"
"""The beginning of the topic of notifications about one tournament."""
State = Tournament.State
_FIRST: Final = 3
"""The number of places that the notification of the end tells."""


def tell_move(tournament: Tournament, now: datetime) -> None:
    """Order a notification that a tournament begins at another time to everybody who has entered it.

    Its key holds that time: where it is changed once more before the notification is written, only the last is told.
    """
    key = f"{tournament.pk}:{tournament.starts_at.timestamp()}:{now.timestamp()}"
    _order(MOVED, tournament.pk, key, tournament.entries.all(), now)


def tell_round(row: TournamentRound, now: datetime) -> None:
    """Order a notification to everybody who has a part in a round that begins, and wants to hear of it."""
    parts = TournamentEntry.objects.filter(pairings__round=row)
    _order(ROUND, row.tournament_id, str(row.pk), parts, now)


def tell_end(tournament: Tournament, now: datetime) -> None:
    """Order a notification to everybody who took part to the end."""
    _order(ENDED, tournament.pk, str(tournament.pk), tournament.entries.filter(withdrawn_at=None), now)


def _order(reason: str, tournament: UUID, key: str, entries: QuerySet[TournamentEntry], now: datetime) -> None:
    wanted = entries.filter(hears=True, account__is_active=True)
    orders = [
        outbox.NewNotification(f"{reason}:{key}:{account}", reason, account, topic=f"{TOPIC}{tournament}", patient=True)
        for account in wanted.values_list("account", flat=True)
        if account is not None
    ]
    outbox.schedule(orders, now)
    enqueue("games.tasks.compose_notifications")


def _entries(account: int, topic: str) -> QuerySet[TournamentEntry]:
    return TournamentEntry.objects.filter(account=account, tournament=UUID(topic.removeprefix(TOPIC)))


def is_stopped(account: int, topic: str) -> bool:
    """Return whether somebody does not hear of the tournament that a topic names."""
    return not _entries(account, topic).filter(hears=True).exists()


def choose(account: int, topic: str, wanted: bool) -> None:
    """Let somebody hear, or not hear, of the tournament that a topic names, and of later seasons of its league."""
    _entries(account, topic).update(hears=wanted)
    this = Tournament.objects.filter(pk=UUID(topic.removeprefix(TOPIC)), league__isnull=False).first()
    if this is not None:
        later = TournamentEntry.objects.filter(tournament__league=this.league, tournament__season__gt=this.season)
        later.filter(account=account).update(hears=wanted)


stopping.register(
    TOPIC,
    stopping.Choice(
        is_stopped,
        choose,
        gettext_lazy("Emails about the rounds of your tournament"),
        gettext_lazy("Stop these emails? You still take part."),
        gettext_lazy("Emails about the rounds of this tournament are off."),
    ),
)


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return what a notification says as of now; None where its round has ended, or its reader wants none."""
    rows = _entries(notification.account_id or 0, notification.topic).filter(hears=True)
    entry = rows.select_related("tournament", "account").first()
    if entry is None or entry.account is None:
        return None
    with override(entry.account.language):
        said = _SAID[notification.reason](entry, notification.key)
        return None if said is None else _rendered(entry, entry.account, *said)


def _rendered(entry: TournamentEntry, account: Account, headline: str, blocks: Iterable[Block]) -> RenderedNotification:
    tournament = entry.tournament
    page = f"{settings.PUBLIC_URL}{reverse('pages:tournament', args=[tournament.pk])}"
    more = Links((Link(_("To the tournament"), page),))
    return RenderedNotification(
        language=account.language,
        subject=_("Tournament “%(name)s”") % {"name": tournament.name},
        headline=headline,
        blocks=(*blocks, more),
    )


def _move(entry: TournamentEntry, key: str) -> tuple[str, list[Block]] | None:
    tournament, account = entry.tournament, entry.account
    is_latest = float(key.split(":")[2]) == tournament.starts_at.timestamp()
    if tournament.state != State.OPEN or not is_latest or account is None:
        return None
    if tournament.club and not tournament.club.memberships.filter(account=account).exists():
        return None
    begins = _("It begins %(at)s.") % {"at": format_moment(tournament.starts_at, ZoneInfo(account.time_zone))}
    return _("%(name)s begins at another time.") % {"name": quoted(tournament.name)}, [Prose((begins,))]


def _round(entry: TournamentEntry, key: str) -> tuple[str, list[Block]] | None:
    rows = Pairing.objects.filter(entry=entry, round=int(key.split(":")[1]), round__ended_at=None)
    rows = rows.select_related("round")
    mine = rows.first()
    if mine is None or entry.account is None:
        return None
    headline = _("Round %(number)s of %(name)s begins.") % {
        "number": number(mine.round.number),
        "name": quoted(entry.tournament.name),
    }
    if mine.kind == Pairing.Kind.BYE:
        return headline, [Prose((_("There is no seat for you in this round: you get 100 points."),))]
    if mine.kind == Pairing.Kind.REST:
        return headline, [Prose((_("You sit this round out."),))]
    until = format_moment(mine.round.ends_at, ZoneInfo(entry.account.time_zone))
    said = (
        _("You meet %(names)s.") % {"names": pgettext("between the items of a list", ", ").join(_others(mine))},
        _("The round ends when its games are over, and %(until)s at the latest.") % {"until": until},
    )
    link = [] if mine.game_id is None else [Link(_("To the game"), links.game_page(mine.game_id))]
    return headline, [Prose(said), *link]


def _others(mine: Pairing) -> list[str]:
    table = Pairing.objects.filter(round=mine.round_id, table=mine.table).exclude(pk=mine.pk)
    accounts = Account.objects.filter(entries__pairings__in=table).order_by("name")
    return [isolated(account.name) for account in accounts]


def _end(entry: TournamentEntry, _key: str) -> tuple[str, list[Block]]:
    name = quoted(entry.tournament.name)
    if entry.tournament.state == State.CANCELLED:
        headline = _("%(name)s has been cancelled.") % {"name": name}
        return headline, [Prose((_("Games that have begun go on."),))]
    first = entry.tournament.entries.filter(place__lte=_FIRST, division=entry.division).exclude(account=None)
    lines = [
        _("%(place)s. %(player)s") % {"place": number(each.place or 0), "player": isolated(each.account.name)}
        for each in first.select_related("account").order_by("place", "number")[:_FIRST]
        if each.account
    ]
    if entry.tournament.season is not None:
        headline = _("Season %(number)s of %(name)s is over.") % {
            "number": number(entry.tournament.season),
            "name": name,
        }
        return headline, [Prose((*_place_in_division(entry), *lines)), *_next_season(entry)]
    place = _("You finished in place %(place)s.") % {"place": number(entry.place or 0)}
    return _("%(name)s is over.") % {"name": name}, [Prose((place, *lines))]


def _place_in_division(entry: TournamentEntry) -> Iterable[str]:
    """The place of somebody in a season, and where they go."""
    division, movement = entry.division or 1, TournamentEntry.Movement
    yield _("You finished in place %(place)s of division %(division)s.") % {
        "place": number(entry.place or 0),
        "division": number(division),
    }
    if entry.movement == movement.UP:
        yield _("You go up to division %(division)s.") % {"division": number(division - 1)}
    if entry.movement == movement.DOWN:
        sentence = _("You go down to division %(division)s, unless a place above becomes free.")
        yield sentence % {"division": number(division + 1)}


def _next_season(entry: TournamentEntry) -> Iterable[Block]:
    """The season that has opened, and what its reader can do about it."""
    season, account = entry.tournament, entry.account
    opened = Tournament.objects.filter(league=season.league, season=(season.season or 0) + 1, state=State.OPEN).first()
    if opened is None or account is None:
        return
    begins = _("Season %(number)s begins %(at)s.") % {
        "number": number(opened.season or 0),
        "at": format_moment(opened.starts_at, ZoneInfo(account.time_zone)),
    }
    if opened.entries.filter(account=account).exists():
        choice = _(
            "You take part. You can leave it until then. If you skip it, you begin again in the lowest division."
        )
    else:
        choice = _("You do not take part yet. Enter it before then to keep your place.")
    yield Prose((begins, choice))
    yield Link(_("To the next season"), f"{settings.PUBLIC_URL}{reverse('pages:tournament', args=[opened.pk])}")


_SAID: Final[Mapping[str, Callable[[TournamentEntry, str], tuple[str, list[Block]] | None]]] = {
    MOVED: _move,
    ROUND: _round,
    ENDED: _end,
}
