"""Messages about a tournament in the chat of its club: their texts.

A text only contains what the page shows to members. The results are those of rounds that have ended, so they reveal
nothing about a running game. The messages about one tournament or league are posted in order.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Final
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from accounts.local_times import format_moment
from games.announcements.table_channels import GroupMessages, notify_of_dead_chat
from games.announcements.tournament_emails import Event
from games.models import ClubChannel, Tournament, TournamentEntry
from games.phrases import isolated, number, render_phrase
from games.rules.registry import RULES
from games.tournaments import progress
from notifications.channels.base import ChatMessage
from notifications.models import Notification

ROOM: Final = 1500
"""The maximum number of characters for tables or standings. The page of the tournament has all of them."""
FIRST: Final = 10
"""The number of players whose places are listed, in a league in each division. Longer lists of names become numbers."""


def write_post(tournament: Tournament, event: Event, language: str, round: int | None = None) -> str:
    """Return the text of a message as of now, in the language of its chat."""
    with override(language):
        return "\n".join([*_post_lines(tournament, event, round or 0), _link("tournament", tournament.pk)])


def _post_lines(tournament: Tournament, event: Event, round: int) -> list[str]:
    name = isolated(tournament.name)
    match event:
        case Event.OPENED if tournament.season is not None:
            return [*_season(tournament, name), *_beginning(tournament)]
        case Event.OPENED:
            return [_("A new tournament of the club: %(name)s.") % {"name": name}, *_beginning(tournament)]
        case Event.MOVED:
            return [_("%(name)s has a new start time.") % {"name": name}, *_beginning(tournament)]
        case Event.ROUND:
            return [_headline(name, round), *_tables(tournament, round)]
        case Event.STANDINGS:
            sentence = _("Standings of %(name)s after round %(number)s:") % {"name": name, "number": number(round)}
            return [sentence, *_places(tournament, round)]
    if tournament.state == Tournament.State.CANCELLED:
        ended = [] if tournament.season is None else [_("The league ends with it.")]
        return [_("%(name)s has been cancelled.") % {"name": name}, *ended, _("Games that have started go on.")]
    if tournament.season is not None:
        sentence = _("Season %(number)s of %(name)s is over.")
        return [sentence % {"number": number(tournament.season), "name": name}, *_places(tournament)]
    return [_("%(name)s is over.") % {"name": name}, *_places(tournament)]


def _season(season: Tournament, name: str) -> list[str]:
    """Return sentences about a season that has opened."""
    sentence = _("Season %(number)s of %(name)s is open.") % {"number": number(season.season or 0), "name": name}
    if season.season == 1:
        return [sentence]
    return [
        sentence,
        _("Everyone who played last season takes part, unless they leave it before it starts."),
        _("If you were absent at the end of your last game, enter it yourself."),
    ]


def _beginning(tournament: Tournament) -> list[str]:
    """Return a sentence with the title of the rules and the start of the tournament."""
    begins = _("It starts %(at)s.") % {"at": _moment(tournament.starts_at)}
    rules = RULES.get(tournament.rules)
    return [begins if rules is None else f"{render_phrase(rules.words.title, {})}. {begins}"]


def _headline(name: str, round: int) -> str:
    return _("Round %(number)s of %(name)s starts.") % {"number": number(round), "name": name}


def _tables(tournament: Tournament, round: int) -> list[str]:
    """Return the tables of a round with links to their games, the players without a seat, and the end of the round."""
    round_view = next(view for view in progress.round_views(tournament) if view.row.number == round)
    lines: list[str] = []
    for table in round_view.tables:
        names = _names(pairing.entry for pairing in table.pairings)
        table_lines = [_("Table %(number)s: %(names)s") % {"number": number(table.number), "names": names}]
        table_lines += [_link("game", pairing.game_id) for pairing in table.pairings[:1] if pairing.game_id]
        if len("\n".join([*lines, *table_lines])) > ROOM:
            lines.append(_("The other tables are on the page."))
            break
        lines += table_lines
    for sentence, entries in (
        (_("Bye, 100 points: %(names)s"), round_view.byes),
        (_("Sitting out: %(names)s"), round_view.rests),
    ):
        if 0 < len(entries) <= FIRST:
            lines.append(sentence % {"names": _names(entries)})
        elif entries:
            lines.append(sentence % {"names": number(len(entries))})
    until = _("The round ends when its games are over, and %(until)s at the latest.")
    return [*lines, until % {"until": _moment(round_view.row.ends_at)}]


def _places(tournament: Tournament, round: int | None = None) -> list[str]:
    """Return the first players with their points after a round, or after the last one. A league lists each division."""
    lines: list[str] = []
    for division, rows in groupby(progress.standings(tournament, round), key=lambda ranked: ranked.entry.division):
        division_lines = [] if division is None else [_("Division %(number)s") % {"number": number(division)}]
        ranked = list(rows)
        moving = [entry for entry in ranked[FIRST:] if round is None and entry.entry.movement]
        division_lines += [_place(entry, is_final=round is None) for entry in ranked[:FIRST] + moving]
        if len("\n".join([*lines, *division_lines])) > ROOM:
            return [*lines, _("The other divisions are on the page.")]
        lines += division_lines
    return lines


def _place(ranked: progress.RankedEntry, *, is_final: bool) -> str:
    values = {
        "place": number(ranked.standing.place),
        "player": _names([ranked.entry]),
        "points": number(ranked.standing.points),
    }
    match ranked.entry.movement if is_final else "":
        case TournamentEntry.Movement.UP:
            return _("%(place)s. %(player)s: %(points)s, goes up") % values
        case TournamentEntry.Movement.DOWN:
            return _("%(place)s. %(player)s: %(points)s, goes down") % values
    return _("%(place)s. %(player)s: %(points)s") % values


def _names(entries: Iterable[TournamentEntry]) -> str:
    deleted_account = _("a deleted account")
    names = (isolated(entry.account.name) if entry.account else deleted_account for entry in entries)
    return pgettext("between the items of a list", ", ").join(names)


def _moment(at: datetime) -> str:
    return format_moment(at, timezone.get_default_timezone())


def _link(name: str, key: UUID) -> str:
    return f"{settings.PUBLIC_URL}{reverse(f'pages:{name}', args=[key])}"


class ClubMessages(GroupMessages):
    """Messages about tournaments in the chats of clubs."""

    chats = ClubChannel.objects.all()

    def compose(self, chat: ClubChannel, notification: Notification, now: datetime) -> ChatMessage | None:
        data = notification.data or {}
        tournament = Tournament.objects.filter(pk=data["tournament"]).first()
        if tournament is None:
            return None
        text = write_post(tournament, Event(notification.reason), chat.language, data["round"])
        return ChatMessage(text, str(notification.pk))

    def give_up(self, notification: Notification, now: datetime) -> None:
        """Notify the organizer who connected the chat."""
        chat = self.chat_of(notification)
        if chat is not None:
            notify_of_dead_chat(chat, now)


MESSAGES: Final = ClubMessages()
