"""Link previews: title, sentence and card of the page of a public game."""

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game
from games.pages.shared import cards
from games.pages.shared.titles import GameOverview
from games.text.phrases import names_of
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView


@dataclass(frozen=True)
class Preview:
    """The preview of a game's page in search engines and messengers."""

    title: str
    lead: str
    card: str
    """The path of the card."""


def preview(access: GameAccess, player_view: PlayerView) -> Preview | None:
    """Return the preview of a game's page, or None for a signed-in reader, because crawlers are visitors."""
    if access.reader is not None:
        return None
    overview = GameOverview(access.game)
    card = cards.card_address("game", cards.draw_game_card(player_view), access.game.pk)
    return Preview(f"{overview.title} {overview.name}", _lead(access.game, player_view), card)


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
    """Return the address of a game's page for sharing, or an empty string for a private game."""
    return "" if game.private else f"{settings.PUBLIC_URL}{reverse('pages:game', args=[game.pk])}"
