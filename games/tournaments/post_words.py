"""The words of the messages about a tournament in the chat of its club. They contain nothing that its page hides from
members.

Results are only told for rounds that have ended, so nothing about a running game appears here.
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

from accounts.profile.local_times import format_moment
from games.models import Tournament, TournamentEntry, TournamentPost
from games.rules.registry import RULES
from games.text.phrases import isolated, number, render_phrase
from games.tournaments import progress

Event = TournamentPost.Event
ROOM: Final = 1500
"""The characters that tables or standings may take; those beyond are on the page."""
FIRST: Final = 10
"""The number of players whose places are told, in a league of each division; more names are only counted."""


def write(post: TournamentPost) -> str:
    """Return the text of a message as of now, in the language of its chat."""
    with override(post.channel.language):
        return "\n".join([*_lines(post, post.tournament), _page("tournament", post.tournament.pk)])


def _lines(post: TournamentPost, tournament: Tournament) -> list[str]:
    name, round = isolated(tournament.name), post.round or 0
    match post.event:
        case Event.OPENED if tournament.season is not None:
            return [*_season(tournament, name), *_beginning(tournament)]
        case Event.OPENED:
            return [_("A new tournament of the club: %(name)s.") % {"name": name}, *_beginning(tournament)]
        case Event.MOVED:
            return [_("%(name)s begins at another time.") % {"name": name}, *_beginning(tournament)]
        case Event.ROUND:
            return [_headline(name, round), *_tables(tournament, round)]
        case Event.STANDINGS:
            said = _("Standings of %(name)s after round %(number)s:") % {"name": name, "number": number(round)}
            return [said, *_places(tournament, round)]
    if tournament.state == Tournament.State.CANCELLED:
        ended = [] if tournament.season is None else [_("The league ends with it.")]
        return [_("%(name)s has been cancelled.") % {"name": name}, *ended, _("Games that have begun go on.")]
    if tournament.season is not None:
        said = _("Season %(number)s of %(name)s is over.")
        return [said % {"number": number(tournament.season), "name": name}, *_places(tournament)]
    return [_("%(name)s is over.") % {"name": name}, *_places(tournament)]


def _season(season: Tournament, name: str) -> list[str]:
    """A season that has opened, and who takes part in it."""
    said = _("Season %(number)s of %(name)s is open.") % {"number": number(season.season or 0), "name": name}
    if season.season == 1:
        return [said]
    return [
        said,
        _("Those who played the last season take part, unless they leave it before it begins."),
        _("If you were absent at the end of your last game, enter it yourself."),
    ]


def _beginning(tournament: Tournament) -> list[str]:
    """The game of a tournament, and the time at which it begins."""
    begins = _("It begins %(at)s.") % {"at": _moment(tournament.starts_at)}
    rules = RULES.get(tournament.rules)
    return [begins if rules is None else f"{render_phrase(rules.words.title, {})}. {begins}"]


def _headline(name: str, round: int) -> str:
    return _("Round %(number)s of %(name)s begins.") % {"number": number(round), "name": name}


def _tables(tournament: Tournament, round: int) -> list[str]:
    """The tables of a round with links to their games, those who do not play, and the time at which it ends."""
    shown = next(each for each in progress.shown_rounds(tournament) if each.row.number == round)
    lines: list[str] = []
    for table in shown.tables:
        names = _names(pairing.entry for pairing in table.pairings)
        said = [_("Table %(number)s: %(names)s") % {"number": number(table.number), "names": names}]
        said += [_page("game", pairing.game_id) for pairing in table.pairings[:1] if pairing.game_id]
        if len("\n".join([*lines, *said])) > ROOM:
            lines.append(_("The other tables are on the page."))
            break
        lines += said
    for sentence, entries in (
        (_("Without a seat, 100 points: %(names)s"), shown.byes),
        (_("Sitting out: %(names)s"), shown.rests),
    ):
        if 0 < len(entries) <= FIRST:
            lines.append(sentence % {"names": _names(entries)})
        elif entries:
            lines.append(sentence % {"names": number(len(entries))})
    until = _("The round ends when its games are over, and %(until)s at the latest.")
    return [*lines, until % {"until": _moment(shown.row.ends_at)}]


def _places(tournament: Tournament, round: int | None = None) -> list[str]:
    """The first players and their points after a round, or after the last one; in a league by divisions."""
    lines: list[str] = []
    for division, rows in groupby(progress.standings(tournament, round), key=lambda each: each.entry.division):
        said = [] if division is None else [_("Division %(number)s") % {"number": number(division)}]
        placed = list(rows)
        moving = [each for each in placed[FIRST:] if round is None and each.entry.movement]
        said += [_place(each, is_final=round is None) for each in placed[:FIRST] + moving]
        if len("\n".join([*lines, *said])) > ROOM:
            return [*lines, _("The other divisions are on the page.")]
        lines += said
    return lines


def _place(placed: progress.Placed, *, is_final: bool) -> str:
    values = {
        "place": number(placed.standing.place),
        "player": _names([placed.entry]),
        "points": number(placed.standing.points),
    }
    match placed.entry.movement if is_final else "":
        case TournamentEntry.Movement.UP:
            return _("%(place)s. %(player)s: %(points)s, goes up") % values
        case TournamentEntry.Movement.DOWN:
            return _("%(place)s. %(player)s: %(points)s, goes down") % values
    return _("%(place)s. %(player)s: %(points)s") % values


def _names(entries: Iterable[TournamentEntry]) -> str:
    gone = _("a deleted account")
    names = (isolated(entry.account.name) if entry.account else gone for entry in entries)
    return pgettext("between the items of a list", ", ").join(names)


def _moment(at: datetime) -> str:
    return format_moment(at, timezone.get_default_timezone())


def _page(name: str, key: UUID) -> str:
    return f"{settings.PUBLIC_URL}{reverse(f'pages:{name}', args=[key])}"
