"""The page of a game: the question with its answers, the picture, the story, the chat, and the possible actions."""

from collections.abc import Collection
from typing import Any, Final

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString

from config.database import database_clock
from games.announcements import question_blocks, stream_events
from games.announcements.absence_words import terms_of_absence
from games.archive import player_stats
from games.clubs.rights import is_member
from games.deadlines import deadline_words
from games.engine import SeatNumber
from games.event_log import log_store
from games.event_log.log_store import UnknownRules
from games.lobby import invitations
from games.models import Game, Invitation, Move, OpenQuestion, Pairing, Seat
from games.pages.game.chat import unsent, view_chat
from games.pages.game.ending import ending
from games.pages.game.pauses import pause_of
from games.pages.game.plans import standing_plans
from games.pages.game.stand_ins import answering
from games.pages.game.table_channel import channel_of
from games.pages.shared import page_words
from games.pages.shared.bot_labels import LEVEL_LABELS
from games.pages.shared.sharing import preview
from games.pages.shared.titles import GameOverview
from games.pages.shared.views import new_key, open_page, visible_game
from games.play.questions import machines_are_due, note_seen
from games.templatetags.live import known_parts
from games.text import answer_groups
from games.text.game_words import kept_back, waits_for
from games.text.phrases import isolated, player
from games.tournaments import rights as tournaments
from games.visibility import picture as drawing
from games.visibility.access import Sight
from games.visibility.player_view import PlayerView
from games.visibility.unread_replies import own_unread_replies

_SYMBOLS: Final = "symbols"
"""The name by which a page says that it has the symbols of the picture."""
STORY: Final = 20
"""The number of the last lines of the story that a game's page tells; the others are one link away."""
WHOLE: Final = 100_000
SINCE: Final = 30
"""The most lines that tell what happened since the reader's last answer."""
_SOON: Final = 2
"""The page reloads after this number of seconds while only bots have questions."""
_LATER: Final = 30
"""The page reloads after this number of seconds while people have questions, if there is no event stream."""
_AT_LEAST: Final = 120
"""The page reloads after this number of seconds even with an event stream, in case it does not reach the browser."""


@open_page
def page(request: HttpRequest, at: Sight) -> HttpResponse:
    """A table as its reader may know it."""
    try:
        player_view = PlayerView(at.game, at.plays, at.reader, at.viewer)
        rows = _open_rows(player_view)
        if None in rows:
            at = visible_game(request, at.game.pk)
            player_view = PlayerView(at.game, at.plays, at.reader, at.viewer)
            rows = _open_rows(player_view)
    except UnknownRules:
        return render(request, "games/unknown.html", {"place": "games", "overview": GameOverview(at.game)}, status=409)
    asked = _asked(player_view, rows[0]) if rows and rows[0] else None
    all_here = at.plays is not None and stream_events.arrive(at.game, at.account, database_clock.now())
    written = unsent(request, at.game) if at.reader else ""
    picture = _picture(player_view, known_parts(request))
    look_after = _look_after(at, asked)
    hears = at.plays is not None or _follows(at)
    reloads = look_after and not written and "stay" not in request.GET
    context = {
        "place": "games",
        "at": at,
        "game": at.game,
        "overview": GameOverview(at.game),
        "key": new_key(),
        "now": database_clock.now(),
        "players": _players(at),
        "asked": asked,
        "all_here": all_here,
        "story": _story(request, player_view),
        "chat": view_chat(at),
        "unsent": written,
        "look_after": max(look_after, _AT_LEAST) if look_after == _LATER and hears else look_after,
        "reload_after": look_after if reloads else 0,
        "summary": player_view.summary(),
        "terms": (*deadline_words.terms(at.game), *deadline_words.delay_of_spectators(at.game)),
        "delay": deadline_words.delay_of_spectators(at.game) if at.game.is_held_back else (),
        "plans": standing_plans(at, player_view),
        "only_aimed": player_view.only_aimed() if at.seat and at.game.state == Game.State.RUNNING else None,
        "answering": answering(at),
        "terms_of_absence": terms_of_absence(at.game),
        "pause": pause_of(at, player_view),
        "channel": SimpleLazyObject(lambda: channel_of(at)),  # left out while it is closed on an open page
        "club": at.game.club if is_member(at.reader, at.game.club_id) else None,
        "pairing": _pairing(at),
        "unread_replies": own_unread_replies(at, database_clock.now()),
        "link": f"{settings.PUBLIC_URL}{reverse('pages:join-by-code')}?code={at.game.code}" if at.seat else "",
        "picture": picture,
        "invitations": _invitations(at),
        "starting": _starting(at),
        "ending": ending(player_view, at.reader) if at.game.state == Game.State.OVER else None,
        "claims_so_far": player_view.claims() if at.game.state == Game.State.RUNNING else (),
        "preview": preview(at, player_view),
        **_standing(player_view),
        **_may(at),
    }
    return render(request, "games/game.html", context)


def _pairing(at: Sight) -> Pairing | None:
    """The place of the game in a tournament that its reader may see; such a game has no host."""
    if at.game.host_id is not None:
        return None
    rows = Pairing.objects.filter(game=at.game, round__tournament__in=tournaments.visible(at.reader))
    return rows.select_related("round__tournament").first()


def _open_rows(player_view: PlayerView) -> list[OpenQuestion | None]:
    """Return the rows of the reader's questions, with None for one that was answered after the log was read."""
    asked = player_view.questions()
    return [OpenQuestion.objects.filter(game=player_view.game, question=each.id).first() for each in asked]


def _asked(player_view: PlayerView, row: OpenQuestion) -> dict[str, Any] | None:
    """The first question to the reader, and what became of their last answer to it that was refused."""
    question = player_view.questions()[0]
    if row.bot:  # a bot sits in
        return None
    if not player_view.for_another:
        note_seen([row], database_clock.now())
    sent = Move.objects.filter(game=player_view.game, account=player_view.reader, question=question.id)
    latest = sent.order_by("-received_at", "-id").first()
    return {
        "id": question.id,
        "says": player_view.asks(question),
        "due_at": row.due_at,
        "only_move": question_blocks.only_move(player_view, question, row.due_at, database_clock.now()),
        "planned_at": None if player_view.for_another else row.planned_at,
        "why": deadline_words.why_not_simply(row, player_view.game, player_view.rules, player_view.reader),
        "groups": answer_groups.of_question(player_view.rules, player_view.state, question, player_view.names),
        "forms": player_view.forms(question),
        "sent": page_words.move_result(player_view, latest) if latest else "",
        "written": latest.text or "" if latest else "",
        **page_words.second_question(player_view, question),
        "waits": latest is not None and latest.state == Move.State.RECEIVED,
    }


def _picture(player_view: PlayerView, known: Collection[str]) -> SafeString | None:
    """The game as the page tells it: drawn of the same position, so that they cannot disagree. What the page that asks
    has already is left out.
    """
    if player_view.board is None:
        return None
    drawn = drawing.part_of_page(player_view.board)
    return drawing.without_symbols(drawn) if _SYMBOLS in known else drawn


def _standing(player_view: PlayerView) -> dict[str, Any]:
    """Return how the game stands, in sentences."""
    if player_view.state is None:
        return {"status": (), "lines": ()}
    return {"status": player_view.status(), "lines": player_view.table().lines}


def _story(request: HttpRequest, player_view: PlayerView) -> dict[str, Any]:
    """Return the events since the reader's last answer, and those before it."""
    whole = request.GET.get("story") == "whole"
    lines = player_view.history(WHOLE if whole else STORY + 1)
    since = player_view.story() if player_view.seat and player_view.last_answer() is not None else None
    if since is not None:
        since = msgspec.structs.replace(since, lines=since.lines[-SINCE:])
    return {
        "since": since,
        "lines": lines if whole else lines[-STORY:],
        "more": not whole and len(lines) > STORY,
        "whole": whole,
    }


def _players(at: Sight) -> list[dict[str, Any]]:
    """Return the players with their seats and their statistics."""
    names = at.game.names()
    player_stats.load([at.game])
    return [
        {
            "seat": seat.number,
            "name": player(SeatNumber(seat.number), names),
            **_profile(seat, at),
            "bot": seat.bot,
            "level": LEVEL_LABELS.get(seat.level, "") if seat.bot else "",
            "away": seat.away and at.game.state == Game.State.RUNNING,
            "offered": seat.offered,
            "stand_in": _stand_in_name(at.game, seat) if at.reader else "",
            "me": seat.number == at.seat,
            "host": at.game.host_id is not None and seat.account_id == at.game.host_id,
        }
        for seat in at.game.seats.all()
    ]


def _profile(seat: Seat, at: Sight) -> dict[str, Any]:
    """Return the name by which the page of a seat's player is found, and their stats, if the reader may know them."""
    if seat.account is None or not player_stats.may_read(seat.account, at.reader):
        return {}
    return {"profile": seat.account.name, "player_stats": player_stats.standing(seat.account, at.game.rules)}


def _invitations(at: Sight) -> list[Invitation]:
    """Return the open invitations to the game, for its players."""
    if at.seat is None or at.game.state != Game.State.OPEN:
        return []
    invited = invitations.list_invitations(at.game.pk, at.account)
    return [each for each in invited if each.state == Invitation.State.OPEN]


def _starting(at: Sight) -> dict[str, Any] | None:
    """Describe a deal that waits or was cancelled, with the commitment whose seed the reader has to reveal."""
    if at.game.state == Game.State.CANCELLED:
        lines = kept_back(at.game)
        return {"lines": lines, "reveal": ""} if lines else None
    if at.game.state != Game.State.STARTING:
        return None
    own = next((seat for seat in at.game.seats.all() if seat.number == at.seat), None)
    reveals = own is not None and not own.seed and at.game.beacon_round is None
    return {"lines": waits_for(at.game), "reveal": own.seed_commitment if own and reveals else ""}


def _stand_in_name(game: Game, seat: Seat) -> str:
    """Return the name of a seat's stand-in, or an empty string."""
    named = seat.stand_in.account if seat.stand_in and game.state == Game.State.RUNNING else None
    return "" if named is None else isolated(named.name)


def _may(at: Sight) -> dict[str, bool]:
    """Return the actions that the reader may take in the game."""
    state, seated = at.game.state, at.seat is not None
    open_, full = state == Game.State.OPEN, len(at.game.seats.all()) + at.game.bot_count >= at.game.seat_count
    enough = len(at.game.seats.all()) + at.game.bot_count >= min(log_store.rules_of(at.game).players)
    return {
        "may_join": open_ and not seated and not full and at.reader is not None,
        "may_leave": open_ and seated,
        "may_start": open_ and seated and at.game.host_id == at.account.pk and enough,
        "may_log_in": open_ and at.reader is None and not full,
        "may_invite": open_ and seated,
        "may_resign": state == Game.State.RUNNING and seated,
        "may_play_again": state == Game.State.OVER and seated and not at.game.arena,
    }


def _look_after(at: Sight, asked: dict[str, Any] | None) -> int:
    """Return after how many seconds the page may have changed, or 0 if it waits for its reader or for nothing."""
    if at.reader is None or at.game.is_held_back:  # who is waited for now is not for them to know
        return _LATER if at.game.state in (Game.State.STARTING, Game.State.RUNNING) else 0
    if at.game.state == Game.State.STARTING:
        return _SOON
    if at.game.state != Game.State.RUNNING:
        return 0
    if asked["waits"] if asked else machines_are_due(at.game.pk, at.account):
        return _SOON
    return 0 if asked else _LATER


def _follows(at: Sight) -> bool:
    """Subscribe a spectator to the game as long as the page is open. Return False if there is no event stream."""
    if at.reader is None or at.game.state in (Game.State.OVER, Game.State.CANCELLED):
        return False
    return stream_events.follow(at.game, at.account.pk, database_clock.now())
