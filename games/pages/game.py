"""The page of a game: the question with its answers, the picture, the story, the chat, and the possible actions."""

import re
from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString

from config.core import clock
from games.announcements import email_blocks, stream_events
from games.announcements.batches import topic_of
from games.announcements.email_blocks import terms_of_absence
from games.announcements.rematch_emails import blocked_players
from games.archive import player_stats
from games.clubs import is_member
from games.deadlines import deadline_words
from games.engine import SeatNumber
from games.event_log import log_store
from games.event_log.log_store import UnknownRules
from games.models import Game, Invitation, Move, OpenQuestion, Pairing, Seat
from games.pages import moves
from games.pages.cards import preview
from games.pages.ending import ending
from games.pages.game_views import is_attended, open_page, visible_game
from games.pages.games import guest_link
from games.pages.plans import standing_plans
from games.pages.posted_forms import new_key
from games.pages.table import answering, channel_of, pause_of, unsent, view_chat
from games.pages.titles import LEVEL_LABELS, GameOverview, draw_figure, goal_of
from games.phrases import isolated, player, render_phrase
from games.play.questions import is_server_due, note_seen
from games.tables import invitations
from games.tables.rematch import people_of, rematch_of
from games.tournaments import entering as tournaments
from games.visibility import picture as drawing
from games.visibility import words
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import StorySentence
from games.visibility.table import all_here, own_unread_replies
from games.visibility.words import awaited_for_deal, option_lines, rematch_lines, withheld_seeds
from notifications.channels.push import tag_of

STORY: Final = 30
"""The number of story lines on the page of a game. A link leads to the whole story."""
WHOLE: Final = 100_000
"""The number of story lines on the page with the whole story. No story has that many."""
_MANY: Final = 4
"""The number of answers about places of the board above which the page says that places can be pressed."""
_PLACE: Final = re.compile('data-place="([^"]+)"')
_COACHED: Final = 3
"""The number of decisions in a player's first game with help on the page."""
_FIRST_GAMES: Final = 3
"""The number of a player's first games in which the controls for experts are folded away."""
_SOON: Final = 2
"""The page reloads after this number of seconds while only bots have questions."""
_LATER: Final = 30
"""The page reloads after this number of seconds while people have questions, if there is no event stream."""
_AT_LEAST: Final = 120
"""The page reloads after this number of seconds even with an event stream, in case it does not reach the browser."""


@open_page
def game_page(request: HttpRequest, access: GameAccess) -> HttpResponse:
    """Show a game as its reader may see it."""
    try:
        player_view = PlayerView(access.game, access.plays, access.reader, access.viewer)
        rows = _open_rows(player_view)
        if None in rows:
            access = visible_game(request, access.game.pk)
            player_view = PlayerView(access.game, access.plays, access.reader, access.viewer)
            rows = _open_rows(player_view)
    except UnknownRules:
        return render(
            request, "games/unknown.html", {"place": "games", "overview": GameOverview(access.game)}, status=409
        )
    question = _question_context(player_view, rows[0], is_seen=is_attended(request)) if rows and rows[0] else None
    unsent_text = unsent(request, access.game) if access.reader else ""
    look_after = _look_after(access, question)
    hears = access.plays is not None or _follows(access)
    reloads = look_after and not unsent_text and "stay" not in request.GET
    context = {
        "place": "games",
        "at": access,
        "game": access.game,
        "overview": GameOverview(access.game),
        "key": new_key(),
        "now": clock.now(),
        "players": _players(access),
        "asked": question,
        **_newcomer(access, player_view, has_question=question is not None),
        "all_here": _all_here(access, has_attention=is_attended(request)),
        "shows_presence": access.plays is not None and access.account.shows_presence,
        "story": _story(request, player_view),
        "chat": view_chat(access),
        "unsent": unsent_text,
        "push_tag": tag_of(access.account.pk, topic_of(access.game.pk)) if access.plays else "",
        "look_after": max(look_after, _AT_LEAST) if look_after == _LATER and hears else look_after,
        "reload_after": look_after if reloads else 0,
        "summary": player_view.summary(),
        "terms": (*deadline_words.terms(access.game), *deadline_words.delay_of_spectators(access.game)),
        "delay": deadline_words.delay_of_spectators(access.game) if access.game.is_held_back else (),
        "plans": standing_plans(access, player_view),
        "only_aimed": player_view.only_aimed() if access.seat and access.game.state == Game.State.RUNNING else None,
        "answering": answering(access),
        "terms_of_absence": terms_of_absence(access.game),
        "pause": pause_of(access, player_view),
        "channel": SimpleLazyObject(lambda: channel_of(access)),  # left out while it is closed on an open page
        "club": access.game.club if is_member(access.reader, access.game.club_id) else None,
        "pairing": _pairing(access),
        "unread_replies": own_unread_replies(access, clock.now()),
        "link": f"{settings.PUBLIC_URL}{reverse('pages:join-by-code')}?code={access.game.code}" if access.seat else "",
        **_invitations(access),
        "starting": _starting(access),
        "ending": ending(player_view, access.reader) if access.game.state == Game.State.OVER else None,
        "rematch": _rematch(access),
        "claims_so_far": player_view.claims() if access.game.state == Game.State.RUNNING else (),
        "preview": preview(access, player_view),
        **_picture(player_view),
        **_standing(player_view),
        **_may(access),
    }
    return render(request, "games/game.html", context)


def _pairing(access: GameAccess) -> Pairing | None:
    """Return the place of the game in a tournament that the reader may see. Such a game has no host."""
    if access.game.host_id is not None:
        return None
    rows = Pairing.objects.filter(game=access.game, round__tournament__in=tournaments.visible(access.reader))
    return rows.select_related("round__tournament").first()


def _all_here(access: GameAccess, *, has_attention: bool) -> bool:
    """Return whether all players are here now. A reader with attention is recorded as present."""
    if access.plays is None:
        return False
    if has_attention:
        return stream_events.arrive(access.game, access.account, clock.now())
    return all_here(access.game, access.account, clock.now()) is not None


def _open_rows(player_view: PlayerView) -> list[OpenQuestion | None]:
    """Return the rows of the reader's questions, with None for one that was answered after the log was read."""
    questions = player_view.questions()
    return [OpenQuestion.objects.filter(game=player_view.game, question=question.id).first() for question in questions]


def _question_context(player_view: PlayerView, row: OpenQuestion, *, is_seen: bool) -> dict[str, Any] | None:
    """Return the context for the reader's first question, with the result of their last answer if it was not played."""
    question = player_view.questions()[0]
    if row.bot:  # A bot answers for the seat.
        return None
    if is_seen and not player_view.for_another:
        note_seen([row], clock.now())
    sent = Move.objects.filter(game=player_view.game, account=player_view.reader, question=question.id)
    latest = sent.order_by("-received_at", "-id").first()
    groups = words.group_answers(player_view.rules, player_view.state, question, player_view.names)
    return {
        "id": question.id,
        "says": player_view.asks(question),
        "due_at": row.due_at,
        "only_move": email_blocks.only_move(player_view, question, row.due_at, clock.now()),
        "planned_at": None if player_view.for_another else row.planned_at,
        "why": deadline_words.why_not_simply(row, player_view.game, player_view.rules, player_view.reader),
        "groups": groups,
        "narrows": _can_narrow(player_view, groups),
        "forms": player_view.forms(question),
        "sent": moves.move_result(player_view, latest) if latest else "",
        "written": latest.text or "" if latest else "",
        **moves.second_question(player_view, question),
        "waits": latest is not None and latest.state == Move.State.RECEIVED,
    }


def _newcomer(access: GameAccess, player_view: PlayerView, *, has_question: bool) -> dict[str, Any]:
    """Return whether the reader is in one of their first games, and the help in the first one with these rules."""
    if access.seat is None:
        return {}
    seats = Seat.objects.filter(account=access.account)[: _FIRST_GAMES + 1]
    games = list(seats.values_list("game__rules", flat=True))
    is_newcomer, is_first = len(games) <= _FIRST_GAMES, games.count(access.game.rules) == 1
    coach = _coach(player_view, access.seat) if has_question and is_newcomer and is_first else None
    return {"is_newcomer": is_newcomer, "coach": coach}


def _coach(player_view: PlayerView, seat: SeatNumber) -> dict[str, Any] | None:
    """Return the help for one of the reader's first decisions in a game, or None after those."""
    coaching, question = player_view.rules.words.coaching, player_view.questions()[0]
    if coaching is None:
        return None
    decisions = player_view.game.moves.filter(seat=seat, state=Move.State.APPLIED).exclude(question="")
    count = decisions.count()
    if count >= _COACHED:
        return None
    risks = coaching.risks(player_view.rules.view(player_view.state, question.seat), question)
    return {
        "goal": goal_of(player_view.rules) if count == 0 else "",
        "risks": [render_phrase(risk, player_view.names) for risk in risks],
        "explanations": [(render_phrase(word, {}), render_phrase(text, {})) for word, text in coaching.explanations],
    }


def _can_narrow(player_view: PlayerView, groups: Iterable[words.Group]) -> bool:
    """Return whether the reader can tap places of the picture to narrow down many answers."""
    drawn_places = set(_PLACE.findall(player_view.board or ""))
    choices = [choice for group in groups for choice in group.choices]
    return sum(not drawn_places.isdisjoint(choice.places.split()) for choice in choices) > _MANY


def _picture(player_view: PlayerView) -> dict[str, Any]:
    """Return the picture as inline SVG, if there is one, and the address of its stylesheet."""
    rules, board = player_view.rules, player_view.board
    picture = None if board is None else drawing.part_of_page(rules, board)
    return {"picture": picture, "picture_style": drawing.style_address(rules)}


def _standing(player_view: PlayerView) -> dict[str, Any]:
    """Return the state of the table, and sentences about the present position."""
    table = player_view.position.table
    if player_view.state is None:
        return {"table": table, "status": (), "lines": ()}
    return {"table": table, "status": player_view.status(), "lines": player_view.table().lines}


def _story(request: HttpRequest, player_view: PlayerView) -> dict[str, Any]:
    """Return the lines of the story, and its new sentences since the player's last own decision."""
    whole = request.GET.get("story") == "whole"
    most = WHOLE if whole else STORY + 1
    lines = player_view.story_lines(most)
    shown_lines = lines if whole else lines[-STORY:]
    new = player_view.new_sentences(shown_lines, most)
    return {
        "lines": [
            [
                (sentence, sentence in new, _turned_cards(player_view, sentence) if sentence in new else [])
                for sentence in line
            ]
            for line in shown_lines
        ],
        "new": new,
        "out": _went_out(player_view, new),
        "more": not whole and len(lines) > STORY,
        "whole": whole,
        "answered": player_view.seat is not None and player_view.last_answer() is not None,
    }


def _turned_cards(player_view: PlayerView, sentence: StorySentence) -> list[tuple[SeatNumber, str, SafeString]]:
    """Return the cards that were turned up in a sentence: the seat, the name and the drawing of each."""
    figures = player_view.rules.figures
    return [
        (seat, card, drawing.part_of_page(player_view.rules, draw_figure(player_view.rules, card)))
        for seat, card in sentence.cards
        if card in figures
    ]


def _went_out(player_view: PlayerView, new: Collection[StorySentence]) -> dict[str, Any] | None:
    """Return the place of a reader who has gone out of the game since their last answer, and the story after that."""
    number = player_view.outs.get(player_view.seat)
    if number is None or not new:
        return None
    later = sorted((sentence for sentence in new if sentence.number > number), key=attrgetter("number"))
    return {"place": player_view.place_out, "later": later}


def _players(access: GameAccess) -> list[dict[str, Any]]:
    """Return the players with their seats and statistics."""
    names = access.game.names()
    player_stats.load([access.game])
    return [
        {
            "seat": seat.number,
            "name": player(SeatNumber(seat.number), names),
            **_profile(seat, access),
            "bot": seat.bot,
            "level": LEVEL_LABELS.get(seat.level, "") if seat.bot else "",
            "away": seat.away and access.game.state == Game.State.RUNNING,
            "offered": seat.offered,
            "stand_in": _stand_in_name(access.game, seat) if access.reader else "",
            "me": seat.number == access.seat,
            "host": access.game.host_id is not None and seat.account_id == access.game.host_id,
        }
        for seat in access.game.seats.all()
    ]


def _profile(seat: Seat, access: GameAccess) -> dict[str, Any]:
    """Return the name for the link to a player's page, and the statistics, if the reader may see them."""
    if seat.account is None or not player_stats.may_read(seat.account, access.reader):
        return {}
    return {"profile": seat.account.name, "player_stats": player_stats.standing(seat.account, access.game.rules)}


def _invitations(access: GameAccess) -> dict[str, Any]:
    """Return the open invitations to the game and its link for guests, if the reader plays in it."""
    if access.seat is None or access.game.state != Game.State.OPEN:
        return {"invitations": []}
    rows = invitations.list_invitations(access.game.pk, access.account)
    opened = [row for row in rows if row.state == Invitation.State.OPEN]
    return {"invitations": opened, "guest_link": guest_link(access.game)}


def _starting(access: GameAccess) -> dict[str, Any] | None:
    """Return the context for a deal that is awaited or was cancelled, with the seed commitment that the reader has to
    reveal.
    """
    if access.game.state == Game.State.CANCELLED:
        lines = withheld_seeds(access.game)
        return {"lines": lines, "reveal": ""} if lines else None
    if access.game.state != Game.State.STARTING:
        return None
    own_seat = next((seat for seat in access.game.seats.all() if seat.number == access.seat), None)
    reveals = own_seat is not None and not own_seat.seed and access.game.beacon_round is None
    return {"lines": awaited_for_deal(access.game), "reveal": own_seat.seed_commitment if own_seat and reveals else ""}


def _rematch(access: GameAccess) -> dict[str, Any] | None:
    """Return the context for a rematch of a game that the reader has played."""
    if access.game.state != Game.State.OVER or access.seat is None or access.game.arena:
        return None
    is_alone = len(people_of(access.game)) < 2
    rematch = rematch_of(access.game)
    if rematch is None:
        return {"state": "none", "is_alone": is_alone}
    rules = log_store.rules_of(access.game)
    own_seats = Seat.objects.filter(game=access.game.rematch_id, account=access.account)
    return {
        "state": rematch.state,
        "offerer": player(SeatNumber(rematch.offer.seat), access.names),
        "is_withdrawn": rematch.is_withdrawn,
        "until": rematch.offer.until,
        "own_answer": rematch.answers.get(access.seat),
        "lines": (
            *option_lines(rules, rematch.offer.options),
            *rematch_lines(rematch.answers, access.names),
            *blocked_players(access.game, access.account),
        ),
        "game": access.game.rematch_id if own_seats.exists() else None,
    }


def _stand_in_name(game: Game, seat: Seat) -> str:
    """Return the name of a seat's stand-in, or an empty string."""
    account = seat.stand_in.account if seat.stand_in and game.state == Game.State.RUNNING else None
    return "" if account is None else isolated(account.name)


def _may(access: GameAccess) -> dict[str, bool]:
    """Return the actions that the reader may take in the game."""
    state, seated = access.game.state, access.seat is not None
    open_, full = (
        state == Game.State.OPEN,
        len(access.game.seats.all()) + access.game.bot_count >= access.game.seat_count,
    )
    enough = len(access.game.seats.all()) + access.game.bot_count >= min(log_store.rules_of(access.game).players)
    return {
        "may_join": open_ and not seated and not full and access.reader is not None,
        "may_leave": open_ and seated,
        "may_start": open_ and seated and access.game.host_id == access.account.pk and enough,
        "may_log_in": open_ and access.reader is None and not full,
        "may_invite": open_ and seated and not access.account.is_guest,
        "may_make_guest_link": open_
        and seated
        and access.game.host_id == access.account.pk
        and settings.SIGN_UP == "open",
        "may_resign": state == Game.State.RUNNING and seated,
    }


def _look_after(access: GameAccess, question: dict[str, Any] | None) -> int:
    """Return the number of seconds after which the page reloads. 0 means that it waits for its reader, or does not
    change.
    """
    if (
        access.reader is None or access.game.is_held_back
    ):  # Spectators must not learn whether people or bots have questions.
        return _LATER if access.game.state in (Game.State.STARTING, Game.State.RUNNING) else 0
    if access.game.state == Game.State.STARTING:
        return _SOON
    if access.game.state != Game.State.RUNNING:
        return 0
    if question["waits"] if question else is_server_due(access.game.pk, access.account):
        return _SOON
    return 0 if question else _LATER


def _follows(access: GameAccess) -> bool:
    """Subscribe a spectator to the game as long as the page is open. Return False if there is no event stream."""
    if access.reader is None or access.game.state in (Game.State.OVER, Game.State.CANCELLED):
        return False
    return stream_events.follow(access.game, access.account.pk, clock.now())
