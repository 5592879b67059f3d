"""Public pages: the privacy page, the arena, Atom feeds and the site map.

The feeds have public data only: games with free seats, results, and the games of players with a public profile.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby, islice
from typing import Final, NamedTuple
from uuid import UUID
from xml.sax.saxutils import escape as escape_xml

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_safe

from accounts import guests
from accounts.authentication import codes, sessions
from accounts.models import Account, Language
from accounts.web.requests import account_of, compressed_for_visitors
from config.core import clock
from games.archive import player_stats
from games.engine import SeatNumber
from games.models import Game
from games.pages.cards import public_link
from games.pages.titles import GameOverview, rules_titles
from games.phrases import isolated, names_of, percent, period, player
from games.rules.registry import RULES
from games.tables import arena, invitations, seeks
from games.tables.arena import MOST_BOTS_LISTED, ListedBot, list_bots
from games.tables.seeks import ListedSeek, usual_numbers
from games.visibility import table
from games.visibility.access import games_for_reader, visible
from notifications import outbox, received_mail, stream_events


class StoredData(NamedTuple):
    """A kind of stored data, and how long it is stored."""

    what: str
    how_long: str


@require_safe
@compressed_for_visitors
def privacy_page(request: HttpRequest) -> HttpResponse:
    """Show the privacy page. Its lengths of time are those after which the server deletes the data."""
    context = {"kept": [*_stored_data()], "cookie": period(sessions.DEVICE_KEPT), "sightings": settings.KEEP_SIGHTINGS}
    return render(request, "games/privacy.html", context)


def _stored_data() -> Iterator[StoredData]:
    """Yield the data that are stored until their owner deletes them, then those that are deleted automatically."""
    account = _("Your account: name, email address, language, time zone, settings, and a hash of your password")
    yield StoredData(account, _("until you delete it"))
    yield StoredData(_("Your moves, plans, results and chat messages"), _("until you delete your account"))
    sightings = _("When a page first showed you a question, to learn what games wait for")
    yield StoredData(sightings, _("until the game is over"))
    presences = _("That you have a game open, on a page or in an app, if you agree to show it")
    yield StoredData(presences, period(table.PRESENCE_KEPT))
    hours = _("The hours of the day at which you usually answer, for your own reminders, unless you switch it off")
    yield StoredData(hours, _("until you delete your account"))
    yield StoredData(_("Your clubs and your role in each"), _("until you leave them"))
    yield StoredData(_("The tournaments that you take part in, and your places"), _("until you delete your account"))
    yield StoredData(
        _("Your name in a group’s chat, for reminders"), _("until you delete it, or the chat is disconnected")
    )
    yield StoredData(
        _("An address whose owner doesn’t want email from us, as a hash"), _("until its owner wants email again")
    )
    yield StoredData(_("A guest and their games, from the first visit on"), period(guests.KEPT))
    yield StoredData(_("An address that wasn’t confirmed, and the code for it"), period(codes.KEPT))
    sessions = _("Where you’re logged in: browser and network address, from the login until you log out")
    yield StoredData(sessions, _at_most(timedelta(seconds=settings.SESSION_COOKIE_AGE)))
    if settings.KEEP_SIGHTINGS:
        places = _("The networks and browsers in which you used your account, as hashes with a key of this server")
        yield StoredData(places, period(settings.KEEP_SIGHTINGS))
    yield StoredData(_("The text of emails and notifications that we sent you"), period(settings.KEEP_EMAILS))
    yield StoredData(_("The text of an email that you send us"), _("until we have read it"))
    yield StoredData(_("The text of an email that an error stops us from reading"), _at_most(received_mail.KEPT))
    invited = _("An address to which someone sent an invitation, unless it still waits for an answer")
    yield StoredData(invited, period(invitations.ADDRESS_RETENTION))
    yield StoredData(_("A search for players, after its end"), period(seeks.RETENTION))
    stream = _("The messages of the event stream, for open pages and apps, including that everyone playing is here")
    yield StoredData(stream, period(stream_events.KEPT))
    yield StoredData(_("The calls to your webhooks, with the same messages"), period(outbox.KEPT))


def _at_most(length: timedelta) -> str:
    return _("%(length)s at most") % {"length": period(length)}


@dataclass(frozen=True)
class ShownBot:
    """A bot account of the arena as a table row."""

    bot: ListedBot
    has_profile: bool
    """The reader may open the page of the account."""
    seek: ListedSeek | None
    wins: str
    reliability: str
    running: Sequence[GameOverview]


@require_safe
@compressed_for_visitors
def arena_page(request: HttpRequest) -> HttpResponse:
    """Show the arena. Raises Http404 on a server without one."""
    if not arena.is_open():
        raise Http404
    reader, bots = account_of(request), list_bots(clock.now())[:MOST_BOTS_LISTED]
    running = visible(reader).filter(pk__in=[game for bot in bots for game in bot.running])
    games = {game.pk: game for game in games_for_reader(running, reader)}
    titles = rules_titles()
    boards = [
        {"rules": rules, "title": titles.get(rules, rules), "bots": [_show(bot, reader, games) for bot in group]}
        for rules, group in groupby(bots, key=lambda bot: bot.stats.rules)
    ]
    return render(request, "games/arena.html", {"place": "leaders", "boards": boards, "example": _example()})


def _example() -> str:
    """Return an example of the request with which a bot account enters."""
    name, rules = next(iter(RULES.items()))
    least, most = usual_numbers(rules)
    return json.dumps({"rules": name, "least": least, "most": most, "games_at_once": 2, "fill_after": "PT2M"})


def _show(bot: ListedBot, reader: Account | None, games: Mapping[UUID, Game]) -> ShownBot:
    share, reliability = bot.stats.wins / max(1, bot.stats.games), bot.reliability
    return ShownBot(
        bot,
        bot.account is not None and player_stats.may_read(bot.account, reader),
        ListedSeek(bot.seek) if bot.seek else None,
        percent(share) if bot.stats.games else "",
        "" if reliability is None else percent(reliability),
        [GameOverview(games[game]) for game in bot.running if game in games],
    )


MOST: Final = 30
"""The maximum number of games in a feed."""
_HEADERS: Final = {"Cache-Control": "public, max-age=300", "X-Robots-Tag": "noindex"}


@require_safe
@gzip_page
@conditional_page
def open_games_feed(request: HttpRequest, language: str) -> HttpResponse:
    """Return public games with a free seat, newest first."""
    with override(_language(language)):
        games = _games(visible(None).filter(state=Game.State.OPEN).order_by("-created_at"))
        return _feed(_("Games with free seats"), request.path, reverse("pages:games"), games)


@require_safe
@gzip_page
@conditional_page
def results_feed(request: HttpRequest, language: str) -> HttpResponse:
    """Return finished public games without those of the arena, newest first."""
    with override(_language(language)):
        games = _games(_finished(visible(None).filter(arena=False)))
        return _feed(
            pgettext("title of a page or section", "Results"),
            request.path,
            f"{reverse('pages:games')}?state=over",
            games,
        )


@require_safe
@gzip_page
@conditional_page
def player_feed(request: HttpRequest, language: str, name: str) -> HttpResponse:
    """Return the finished public games of a player. Raises Http404 if the profile is not public."""
    account = player_stats.player(name)
    if account is None or not player_stats.may_read(account, None):
        raise Http404
    with override(_language(language)):
        games = _games(_finished(visible(None).filter(seats__account=account)))
        title = _("Games of %(player)s") % {"player": isolated(account.name)}
        return _feed(title, request.path, reverse("pages:player", args=[account.name]), games)


def _language(language: str) -> str:
    if language not in Language.values:
        raise Http404
    return language


def _finished(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return the finished games that have their results. These are stored a moment after the end."""
    return games.filter(state=Game.State.OVER, counted=True).order_by("-ended_at").prefetch_related("results")


def _games(games: QuerySet[Game]) -> list[Game]:
    return games_for_reader(games[:MOST], None)


def _feed(title: str, path: str, page: str, games: Iterable[Game]) -> HttpResponse:
    site = settings.PUBLIC_URL
    feed = Atom1Feed(
        f"{title} · {_('Darbar')}", f"{site}{page}", "", feed_url=f"{site}{path}", feed_guid=f"{site}{path}"
    )
    for game in games:
        overview, link = GameOverview(game), public_link(game)
        at = game.ended_at or game.created_at
        summary = escape(_summary(game, overview))  # The summary of an Atom entry is HTML.
        feed.add_item(f"{overview.title} {overview.name}", link, summary, unique_id=link, pubdate=at, updateddate=at)
    document = feed.writeString("utf-8")
    return HttpResponse(document, content_type=feed.content_type, headers=_HEADERS)


def _summary(game: Game, overview: GameOverview) -> str:
    """Return a game in a few sentences."""
    names = game.names()
    lines = [_("Players: %(players)s.") % {"players": names_of(names, names)}]
    if game.state == Game.State.OVER:
        between = pgettext("between the items of a list", ", ")
        winners = between.join(player(SeatNumber(result.seat), names) for result in game.results.all() if result.won)
        return " ".join([_("Won by %(players)s.") % {"players": winners} if winners else "", *lines]).strip()
    return " ".join([*lines, *(f"{line}." for line in overview.chosen), overview.pace])


_MOST: Final = 5000
"""The maximum number of listed pages. The protocol allows ten times as many."""
_HOUR: Final = 60 * 60


@require_safe
@gzip_page
@cache_control(public=True, max_age=_HOUR)
def site_map(request: HttpRequest) -> HttpResponse:
    """Return the addresses of the public pages in the format of sitemaps.org."""
    entries = "".join(
        f"<url><loc>{escape_xml(settings.PUBLIC_URL + path)}</loc></url>\n" for path in islice(_paths(), _MOST)
    )
    document = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )
    return HttpResponse(document, content_type="application/xml")


def _paths() -> Iterator[str]:
    """Yield the public pages and the public profiles. Games and lists of games name players, so they are left out."""
    yield from (reverse(f"pages:{name}") for name in ("home", "rules", "leaders", "privacy"))
    yield from (reverse("pages:rules-of", args=[name]) for name in RULES)
    yield from (reverse("pages:lesson", args=[name]) for name, rules in RULES.items() if rules.lesson is not None)
    players = player_stats.public_players().order_by("pk").values_list("name", flat=True)
    yield from (reverse("pages:player", args=[name]) for name in players[:_MOST])
