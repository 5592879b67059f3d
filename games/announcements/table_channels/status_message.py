"""The words of the message in a table's channel: what everybody may know who looks on."""

from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.profile.local_times import format_moment
from games.engine import SPECTATOR
from games.models import Game, TableChannel
from games.visibility.player_view import PlayerView

LINES: Final = 3
"""The number of lines of the story it tells."""


def write(channel: TableChannel) -> str:
    """Return how the game of a channel stands, in the channel's language. UnknownRules."""
    with override(channel.language):
        return "\n".join(_lines(channel.game))


def _lines(game: Game) -> list[str]:
    player_view = PlayerView(game, None, None, SPECTATOR)
    lines = [player_view.subject, *player_view.history(LINES)]
    if player_view.state is not None and not any(line.event.tells_winners for line in player_view.log):
        lines += player_view.status()
    if game.state == Game.State.RUNNING and game.due_at is not None:
        lines.append(_("Until %(moment)s") % {"moment": format_moment(game.due_at, timezone.get_default_timezone())})
    return [*lines, f"{settings.PUBLIC_URL}{reverse('pages:game', args=[game.pk])}"]
