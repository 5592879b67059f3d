"""The title and the sentence that other sites show for a link to a public game."""

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game
from games.pages.shared import cards
from games.pages.shared.titles import GameOverview
from games.text.phrases import names_of
from games.visibility.access import Sight
from games.visibility.player_view import PlayerView


@dataclass(frozen=True)
class Preview:
    """A page of a game as search engines and messengers show it."""

    title: str
    lead: str
    card: str
    """The address of its card, on this site."""


def preview(at: Sight, player_view: PlayerView) -> Preview | None:
    """Return the preview of a game's page; None for a reader who is signed in, since robots are visitors."""
    if at.reader is not None:
        return None
    overview = GameOverview(at.game)
    card = cards.address("game", cards.of_game(player_view), at.game.pk)
    return Preview(f"{overview.title} {overview.name}", _lead(at.game, player_view), card)


def _lead(game: Game, player_view: PlayerView) -> str:
    names = names_of(player_view.names, player_view.names)
    match game.state:
        case Game.State.OVER:
            return " ".join([*player_view.status(), _("At the table: %(players)s.") % {"players": names}])
        case Game.State.RUNNING:
            return _("%(players)s are playing. Watch what everybody at the table sees.") % {"players": names}
        case _:
            return _("At the table: %(players)s.") % {"players": names}


def public_link(game: Game) -> str:
    """The address of a game's page that is told to others; blank for a private game."""
    return "" if game.private else f"{settings.PUBLIC_URL}{reverse('pages:game', args=[game.pk])}"
