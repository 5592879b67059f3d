"""The sandbox: requests that let time pass in a game, and that script the moves of its bots."""

from typing import ClassVar
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, NotFound, PermissionDenied, ValidationError
from rest_framework.response import Response

from accounts.tokens import Scope
from accounts.web.api_view import KEY, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import PeriodField, StrictSerializer
from games.api.games import GameActionView
from games.api.shared.problems import refusals_as_problems
from games.api.shared.serializers import GameSerializer
from games.engine.reading import names_to_read
from games.event_log.log_store import rules_of
from games.play import sandbox
from games.play.submit import MAX_TEXT_LENGTH
from games.visibility.access import GameAccess, access_to_game


class ClockSerializer(StrictSerializer):
    """The time that is to pass."""

    forward = PeriodField(shortest="PT1S", longest="P60D", help_text="The time that passes in this game.")


class ToldMovesSerializer(StrictSerializer):
    """The moves that a bot is told to make."""

    moves = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TEXT_LENGTH),
        max_length=sandbox.MAX_MOVES,
        help_text="In notation, in their order. An empty list: it plays by itself.",
    )


class _Sandbox(GameActionView):
    """Base of views that exist only in a sandbox."""

    def own_game(self, request: AccountRequest, game: UUID) -> GameAccess:
        """Return the access to a game in which the account plays. Raises NotFound outside a sandbox, and
        PermissionDenied in the games of others."""
        if not settings.SANDBOX:
            raise NotFound
        with refusals_as_problems():
            access = access_to_game(request.user, game)
        if access.seat is None:
            raise PermissionDenied(_("You’re not in this game."))
        return access


class Clock(_Sandbox):
    @extend_schema(
        operation_id="forward_clock",
        tags=["sandbox"],
        request=ClockSerializer,
        responses=GameSerializer,
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Let time pass in a game that you play: every deadline comes nearer by that much.

        Reminders are sent and default moves are played within seconds, after the grace of ten seconds that every
        deadline has. The times of past events do not change.
        """
        length = validated_data(ClockSerializer(data=request.data))["forward"]
        self.own_game(request, game)
        return self.change(request, game, lambda: sandbox.pass_time(game, length, self.received_at))


class BotMoves(_Sandbox):
    required_scopes: ClassVar = {"GET": Scope.GAMES_PLAY, "PUT": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_bot_moves", tags=["sandbox"], responses=ToldMovesSerializer)
    def get(self, request: AccountRequest, game: UUID, seat: int) -> Response:
        """List the moves that a bot of your game will still make."""
        self._check(request, game, seat)
        return Response({"moves": sandbox.remaining_moves(game, seat)})

    @extend_schema(
        operation_id="tell_bot", tags=["sandbox"], request=ToldMovesSerializer, responses=ToldMovesSerializer
    )
    def put(self, request: AccountRequest, game: UUID, seat: int) -> Response:
        """Tell a bot of your game which moves to make, in place of any earlier ones.

        The bot makes the first of the moves as soon as it answers a question, then the next. Other questions the bot
        answers by itself. If a text is no move of this game the request is refused (`move-unreadable`), and nothing
        changes.
        """
        moves = validated_data(ToldMovesSerializer(data=request.data))["moves"]
        access = self._check(request, game, seat)
        if errors := sandbox.unreadable_moves(rules_of(access.game), moves, names_to_read(access.names)):
            raise ValidationError({"moves": {str(index): [_unreadable(move)] for index, move in errors.items()}})
        sandbox.set_moves(game, seat, moves)
        return Response({"moves": moves})

    def _check(self, request: AccountRequest, game: UUID, seat: int) -> GameAccess:
        access = self.own_game(request, game)
        if not any(row.number == seat and row.bot for row in access.game.seats.all()):
            sentence = _("There’s no bot in seat %(seat)s.")
            raise ValidationError([ErrorDetail(sentence % {"seat": seat}, code="seat")])
        return access


def _unreadable(move: str) -> ErrorDetail:
    sentence = _("“%(move)s” isn’t a move in this game. Write moves as in the `text` of a question’s moves.")
    return ErrorDetail(sentence % {"move": move}, code="move-unreadable")
