"""Notifications about absence: to absent players, to stand-ins, and to players who have lost a seat."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from accounts.models import Account
from accounts.profile.local_times import format_moment
from games.announcements.absence_words import questions_missed, way_back
from games.announcements.emails import topic_of
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Game, Seat, StandIn
from games.text import links
from games.text.game_words import short_code
from games.text.phrases import isolated, render_phrase
from notifications.content.rendered_notification import Block, Link, Prose, RenderedNotification, answerable
from notifications.delivery import outbox

ABSENT: Final = "absent"
"""The reason of the notification to a player whose seat a bot has taken over, or whose game is over for them."""
STAND_IN_NAMED: Final = "stand-in-named"
"""The reason of the notification to a new stand-in."""
STAND_IN_LEFT: Final = "stand-in-left"
"""The reason of the notifications about the end of a stand-in's role."""
REPLACED: Final = "replaced"
"""The reason of the notification to a player whose seat another player has taken."""

_CONSEQUENCES: Final = {
    "bot": gettext_noop("You can come back at any time."),
    "invite": gettext_noop(
        "The others may invite somebody to your seat. You may come back until somebody has taken it; then you are out "
        "of the game for good, because they have seen your hand."
    ),
    "forfeit": gettext_noop("By the terms of this game, you are now out of it."),
}


def absent(game: Game, seat: Seat, number_of_event: int, now: datetime) -> None:
    """Notify a player of the consequence of too many missed questions."""
    account = seat.account
    if account is None:
        return
    with override(account.language):
        missed = questions_missed(game.terms.misses)
        blocks: tuple[Block, ...] = (Prose((missed, _(_CONSEQUENCES[game.terms.absence]))),)
        if seat.away:
            blocks = (*blocks, *way_back(game, SeatNumber(seat.number)))
        headline = _("You have not answered in %(game)s, game %(code)s.")
        notification = rendered(game, account, headline, *blocks, seat=SeatNumber(seat.number))
        notification = answerable(notification) if seat.away else notification
    post(game, account, ABSENT, number_of_event, notification, now)


def replaced(game: Game, account: Account, number_of_event: int, now: datetime) -> None:
    """Notify a player that another player has taken their seat."""
    with override(account.language):
        sentence = _("They have seen your hand, so you are out of this game for good. Your moves stay as they are.")
        headline = _("Somebody else has taken your seat in %(game)s, game %(code)s.")
        notification = rendered(game, account, headline, Prose((sentence,)))
    post(game, account, REPLACED, number_of_event, notification, now)


def stand_in_named(game: Game, stand_in: StandIn, now: datetime) -> None:
    """Notify a new stand-in, and explain how to end the role."""
    account, owner = stand_in.account, stand_in.owner
    assert account is not None
    assert owner is not None
    with override(account.language):
        question_period = _("Until %(until)s we ask you the questions of %(owner)s too. The first answer is played.")
        secrecy = _("You see what they see in the game, but not the chat. Please keep it to yourself.")
        how_to_end = _("If you do not want to, say so on the page of the game.")
        values = {"until": format_moment(stand_in.until, ZoneInfo(account.time_zone)), "owner": isolated(owner.name)}
        page = Link(_("To the game"), links.game_page(game.pk))
        headline = _("%(owner)s has named you their stand-in in %(game)s, game %(code)s.")
        notification = rendered(
            game, account, headline, Prose((question_period % values, secrecy, how_to_end)), page, owner=values["owner"]
        )
    post(game, account, STAND_IN_NAMED, stand_in.pk, notification, now)


def stand_in_left(game: Game, stand_in: StandIn, ended_by: Account | None, now: datetime) -> None:
    """Notify the player and the stand-in of the end of the role, except the account that ended it."""
    if (account := stand_in.account) is not None and account != ended_by:
        with override(account.language):
            headline = _("You are no longer the stand-in for %(owner)s in %(game)s, game %(code)s.")
            owner_name = isolated(stand_in.owner.name) if stand_in.owner else "?"
            notification = rendered(game, account, headline, owner=owner_name)
        post(game, account, STAND_IN_LEFT, stand_in.pk, notification, now)
    if (owner := stand_in.owner) is not None and owner != ended_by:
        with override(owner.language):
            headline = _("You no longer have a stand-in in %(game)s, game %(code)s.")
            notification = rendered(game, owner, headline, seat=SeatNumber(stand_in.seat))
        post(game, owner, STAND_IN_LEFT, stand_in.pk, notification, now)


def rendered(
    game: Game, account: Account, headline: str, *blocks: Block, seat: SeatNumber | None = None, owner: str = ""
) -> RenderedNotification:
    """Return a notification about a game without a question. The player on ``seat`` can reply to it."""
    title, table = render_phrase(log_store.rules_of(game).words.title, {}), short_code(game)
    return RenderedNotification(
        language=account.language,
        subject=f"{title} {table}",
        headline=headline % {"game": title, "code": isolated(table), "owner": owner},
        blocks=blocks,
        reply_to="" if seat is None else links.seat_address(game.pk, seat),
    )


def post(
    game: Game, account: Account, reason: str, number_of_event: int, notification: RenderedNotification, now: datetime
) -> None:
    """Post a notification about event ``number_of_event`` of a game."""
    key = f"{reason}:{game.pk}:{number_of_event}:{account.pk}"
    outbox.add_rendered(outbox.NewNotification(key, reason, account.pk, topic=topic_of(game.pk)), notification, now)
