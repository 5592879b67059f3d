"""Letters about what the server could not judge or read: the fault is its own, and its operator knows.

They are made without the game's state, which may be what is at fault, and never stop whoever sets something aside.
"""

import logging
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Account
from games import log_store
from games.models import Game, Move
from games.play.letters import topic_of
from games.play.speak import isolated, speak
from games.play.telling import table_name
from notifications import outbox
from notifications.failures import describe
from notifications.notice import Notice, Prose

logger = logging.getLogger(__name__)

FAILED: Final = "failed"
"""The reason of these letters."""


def of_move(move: Move, now: datetime) -> None:
    """Tell whoever sent it that a move could not be judged."""
    if move.account is not None:
        _tell(f"move:{move.pk}", move.game, move.account, now)


def of_mail(mail: int, game: Game, account: Account, now: datetime) -> None:
    """Tell whoever wrote it that a mail could not be read."""
    _tell(f"mail:{mail}", game, account, now)


def _tell(what: str, game: Game, account: Account, now: datetime) -> None:
    try:
        with transaction.atomic(), override(account.language):
            order = outbox.Order(f"{FAILED}:{what}", FAILED, account.pk, topic=topic_of(game.pk))
            outbox.post(order, _notice(game, account), now)
    except Exception as error:
        logger.error("nobody could be told that %s was set aside: %s", what, describe(error))


def _notice(game: Game, account: Account) -> Notice:
    title = speak(log_store.rules_of(game).words.title, {})
    table = table_name(game)
    said = _("What you sent to %(game)s, table %(table)s, could not be judged, and nothing has changed.")
    return Notice(
        language=account.language,
        subject=f"{title} {table}",
        headline=_("Your answer was set aside."),
        blocks=(
            Prose(
                (
                    said % {"game": title, "table": isolated(table)},
                    _("The fault is ours, and the operator of this server knows of it."),
                    _("If a question still waits for you, please answer it again."),
                )
            ),
        ),
    )
