"""The arena: the bot accounts that play there, their statistics, and their games."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import Account
from accounts.web.compression import compressed_for_visitors
from accounts.web.requests import account_of
from config.core import clock
from games.archive import player_stats
from games.models import Game
from games.pages.shared.titles import GameOverview, rules_titles
from games.rules.registry import RULES
from games.seeks import arena
from games.seeks.listed_bot import ListedBot, list_bots
from games.seeks.listed_seek import ListedSeek
from games.seeks.new_seek import usual_numbers
from games.text.phrases import percent
from games.visibility.access import games_for_reader, visible


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
    reader, bots = account_of(request), list_bots(clock.now())
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
