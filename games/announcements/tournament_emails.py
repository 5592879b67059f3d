"""Notifications about a tournament: a new starting time, a new round, the end.

Messages to the chat of the tournament's club are ordered here too, each in the transaction of its event.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext

from accounts.local_times import format_moment
from accounts.models import Account
from config.core.tasks import enqueue
from games import links
from games.models import ClubChannel, Pairing, Tournament, TournamentEntry, TournamentRound
from games.phrases import isolated, number, quoted
from notifications import outbox, preferences
from notifications.content import Block, Link, Links, Prose, RenderedNotification
from notifications.models import Notification

MOVED: Final = "tournament-moved"
"""The reason of the notification about a new starting time."""
ROUND: Final = "tournament-round"
"""The reason of the notification that a round begins."""
ENDED: Final = "tournament-ended"
"""The reason of the notification that a tournament is over or cancelled."""
TOPIC: Final = "tournament:"
"""The prefix of the topic of notifications about one tournament."""
CHANNEL_NAME: Final = "club-chats"
"""The name of the channel of messages to the chats of clubs."""
State = Tournament.State
_FIRST: Final = 3
"""The number of places that are listed in the notification of the end."""


def notify_new_time(tournament: Tournament, now: datetime) -> None:
    """Order a notification about the new starting time for all entries.

    The key contains the time. If the time changes again before the notification is composed, only the newest one is
    sent.
    """
    key = f"{tournament.pk}:{tournament.starts_at.timestamp()}:{now.timestamp()}"
    _order(MOVED, tournament.pk, key, tournament.entries.all(), now)


def notify_round(row: TournamentRound, now: datetime) -> None:
    """Order a notification for all players of a round that begins, unless they have turned it off."""
    parts = TournamentEntry.objects.filter(pairings__round=row)
    _order(ROUND, row.tournament_id, str(row.pk), parts, now)


def notify_end(tournament: Tournament, now: datetime) -> None:
    """Order a notification for all players who took part to the end."""
    _order(ENDED, tournament.pk, str(tournament.pk), tournament.entries.filter(withdrawn_at=None), now)


def _order(reason: str, tournament: UUID, key: str, entries: QuerySet[TournamentEntry], now: datetime) -> None:
    recipients = entries.filter(hears=True, account__is_active=True)
    orders = [
        outbox.NewNotification(f"{reason}:{key}:{account}", reason, account, topic=f"{TOPIC}{tournament}", patient=True)
        for account in recipients.values_list("account", flat=True)
        if account is not None
    ]
    outbox.schedule(orders, now)
    enqueue("games.tasks.compose_notifications")


def _entries(account: int, topic: str) -> QuerySet[TournamentEntry]:
    return TournamentEntry.objects.filter(account=account, tournament=UUID(topic.removeprefix(TOPIC)))


def is_stopped(account: int, topic: str) -> bool:
    """Return whether an account does not want notifications about the tournament of a topic."""
    return not _entries(account, topic).filter(hears=True).exists()


def choose(account: int, topic: str, enabled: bool) -> None:
    """Turn notifications about a topic's tournament, and about later seasons of its league, on or off for an
    account.
    """
    _entries(account, topic).update(hears=enabled)
    league_tournament = Tournament.objects.filter(pk=UUID(topic.removeprefix(TOPIC)), league__isnull=False).first()
    if league_tournament is not None:
        later = TournamentEntry.objects.filter(
            tournament__league=league_tournament.league, tournament__season__gt=league_tournament.season
        )
        later.filter(account=account).update(hears=enabled)


preferences.register_stop_choice(
    TOPIC,
    preferences.StopChoice(
        is_stopped,
        choose,
        gettext_lazy("Emails about the rounds of your tournament"),
        gettext_lazy("Stop these emails? You still take part."),
        gettext_lazy("Emails about the rounds of this tournament are off."),
    ),
)


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the content of a notification, or None if it is out of date or not wanted."""
    rows = _entries(notification.account_id or 0, notification.topic).filter(hears=True)
    entry = rows.select_related("tournament", "account").first()
    if entry is None or entry.account is None:
        return None
    with override(entry.account.language):
        content = _COMPOSERS[notification.reason](entry, notification.key)
        return None if content is None else _rendered(entry, entry.account, *content)


def _rendered(entry: TournamentEntry, account: Account, headline: str, blocks: Iterable[Block]) -> RenderedNotification:
    tournament = entry.tournament
    page = f"{settings.PUBLIC_URL}{reverse('pages:tournament', args=[tournament.pk])}"
    more = Links((Link(_("Open the tournament"), page),))
    return RenderedNotification(
        language=account.language,
        subject=_("Tournament “%(name)s”") % {"name": tournament.name},
        headline=headline,
        blocks=(*blocks, more),
        page=page,
    )


def _move(entry: TournamentEntry, key: str) -> tuple[str, list[Block]] | None:
    tournament, account = entry.tournament, entry.account
    is_latest = float(key.split(":")[2]) == tournament.starts_at.timestamp()
    if tournament.state != State.OPEN or not is_latest or account is None:
        return None
    if tournament.club and not tournament.club.memberships.filter(account=account).exists():
        return None
    begins = _("It starts %(at)s.") % {"at": format_moment(tournament.starts_at, ZoneInfo(account.time_zone))}
    return _("%(name)s has a new start time.") % {"name": quoted(tournament.name)}, [Prose((begins,))]


def _round(entry: TournamentEntry, key: str) -> tuple[str, list[Block]] | None:
    rows = Pairing.objects.filter(entry=entry, round=int(key.split(":")[1]), round__ended_at=None)
    rows = rows.select_related("round")
    pairing = rows.first()
    if pairing is None or entry.account is None:
        return None
    headline = _("Round %(number)s of %(name)s starts.") % {
        "number": number(pairing.round.number),
        "name": quoted(entry.tournament.name),
    }
    if pairing.kind == Pairing.Kind.BYE:
        return headline, [Prose((_("You have a bye this round: 100 points."),))]
    if pairing.kind == Pairing.Kind.REST:
        return headline, [Prose((_("You sit this round out."),))]
    until = format_moment(pairing.round.ends_at, ZoneInfo(entry.account.time_zone))
    sentences = (
        _("You play against %(names)s.")
        % {"names": pgettext("between the items of a list", ", ").join(_others(pairing))},
        _("The round ends when its games are over, and %(until)s at the latest.") % {"until": until},
    )
    link = [] if pairing.game_id is None else [Link(_("Open the game"), links.game_page(pairing.game_id))]
    return headline, [Prose(sentences), *link]


def _others(pairing: Pairing) -> list[str]:
    table = Pairing.objects.filter(round=pairing.round_id, table=pairing.table).exclude(pk=pairing.pk)
    accounts = Account.objects.filter(entries__pairings__in=table).order_by("name")
    return [isolated(account.name) for account in accounts]


def _end(entry: TournamentEntry, _key: str) -> tuple[str, list[Block]]:
    name = quoted(entry.tournament.name)
    if entry.tournament.state == State.CANCELLED:
        headline = _("%(name)s has been cancelled.") % {"name": name}
        return headline, [Prose((_("Games that have started go on."),))]
    winners = entry.tournament.entries.filter(place__lte=_FIRST, division=entry.division).exclude(account=None)
    lines = [
        _("%(place)s. %(player)s") % {"place": number(winner.place or 0), "player": isolated(winner.account.name)}
        for winner in winners.select_related("account").order_by("place", "number")[:_FIRST]
        if winner.account
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
    """Yield the place of a player in a season, and the division of the next season."""
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
    """Yield the next season if it is open, and what the reader can do."""
    season, account = entry.tournament, entry.account
    next_season = Tournament.objects.filter(
        league=season.league, season=(season.season or 0) + 1, state=State.OPEN
    ).first()
    if next_season is None or account is None:
        return
    begins = _("Season %(number)s starts %(at)s.") % {
        "number": number(next_season.season or 0),
        "at": format_moment(next_season.starts_at, ZoneInfo(account.time_zone)),
    }
    if next_season.entries.filter(account=account).exists():
        choice = _(
            "You’re taking part. You can leave before then. If you skip the season, you start again in the lowest "
            "division."
        )
    else:
        choice = _("You’re not taking part yet. Enter before then to keep your place.")
    yield Prose((begins, choice))
    yield Link(_("Open the next season"), f"{settings.PUBLIC_URL}{reverse('pages:tournament', args=[next_season.pk])}")


_COMPOSERS: Final[Mapping[str, Callable[[TournamentEntry, str], tuple[str, list[Block]] | None]]] = {
    MOVED: _move,
    ROUND: _round,
    ENDED: _end,
}


class Event(StrEnum):
    """The subject of a message in the chat of a club."""

    OPENED = "opened"
    MOVED = "moved"
    """The tournament starts at another time."""
    ROUND = "round"
    """A round begins."""
    STANDINGS = "standings"
    """A round has ended, and another one follows."""
    ENDED = "ended"
    """The tournament is over or was cancelled."""


def order_post(tournament: Tournament, event: Event, now: datetime, round: int | None = None) -> None:
    """Order a message about a tournament, if its club has a chat."""
    channel = ClubChannel.objects.filter(club=tournament.club_id).first()
    if channel is not None:
        # The end of a season comes before the opening of the next one.
        topic = f"league:{tournament.league}" if tournament.league else f"{TOPIC}{tournament.pk}"
        data = {"tournament": str(tournament.pk), "round": round}
        outbox.add_message(CHANNEL_NAME, channel.endpoint, event, now, topic, data)
