"""Games: listing, creating, joining, leaving and starting them, rematches, and commitments."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, PublicApiView, run_idempotent, validated_data
from accounts.web.pagination import KeysetPagination
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer, StrictSerializer
from config.core.database.replica import reads_replica
from games.api.shared.fields import OptionsField, SeedCommitmentField, SeedField
from games.api.shared.problems import refusals_as_problems
from games.api.shared.responses import IF_NONE_MATCH, etag_json
from games.api.shared.serializers import (
    GAMES,
    GameSerializer,
    GamesFilterSerializer,
    NewGameSerializer,
)
from games.archive import player_stats
from games.models import Bot, Game, Move
from games.refusals import not_found
from games.tables.joining import join_game, leave_game
from games.tables.new_game import NewGame, Seeding
from games.tables.practice import create_practice
from games.tables.rematch import Rematch, accept_rematch, decline_rematch, get_rematch
from games.tables.starting import create_game, reveal_seed, start_game
from games.visibility import access
from games.visibility.access import access_to_game

API = Move.Via.API.value


class JoinSerializer(StrictSerializer):
    """Your request to join a game."""

    code = serializers.CharField(
        max_length=40, default="", allow_blank=True, help_text="The game's code; needed if it is private."
    )
    seed = SeedField()
    seed_commitment = SeedCommitmentField()


class RevealSerializer(StrictSerializer):
    """The seed that a player committed to."""

    seed = serializers.RegexField(r"^[0-9a-f]{64}$", help_text="The 32 bytes in hexadecimal.")
    head = serializers.RegexField(
        r"^[0-9a-f]{64}$", help_text="The `deal_head` of the list that you have checked and kept."
    )


class RematchSerializer(StrictSerializer):
    """Your yes to a rematch, and its changes."""

    options = OptionsField(
        default=dict,
        help_text="Only in an offer: options to change, for example `starting_player`.",
    )
    seed = SeedField()
    seed_commitment = SeedCommitmentField()


class RematchAnswerSerializer(serializers.Serializer[Any]):
    """The answer of a player of the finished game."""

    seat = serializers.IntegerField(help_text="The seat in the finished game.")
    name = serializers.CharField()
    accepted = serializers.BooleanField(allow_null=True, help_text="Null: there is no answer yet.")


class RematchOfferSerializer(serializers.Serializer[Any]):
    """The offer of a rematch."""

    state = serializers.ChoiceField(
        choices=("offered", "started", "lapsed"), help_text="`lapsed`: too few players could take part."
    )
    seat = serializers.IntegerField(help_text="The seat of the player who offered it.")
    options = OptionsField(help_text="The options that differ from the finished game.")
    until = serializers.DateTimeField(
        help_text="The rematch starts by then with the players who have accepted, or earlier if all have answered."
    )
    answers = RematchAnswerSerializer(many=True)
    game = serializers.UUIDField(allow_null=True, help_text="The new game, once it has started.")


class GameCommitmentSerializer(serializers.ModelSerializer[Game]):
    """The commitment that binds the server to the chance of a game: SHA-256 of `darbar-2|id|seed`."""

    deal_head = serializers.CharField(
        help_text="SHA-256 of `darbar-deal|` and the list that a protected deal follows from; blank if there is none."
    )

    class Meta:
        model = Game
        fields: ClassVar = ["id", "commitment", "deal_head"]


@method_decorator(reads_replica, name="get")
class GameList(ListApiView):
    """The games that the account may see."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY}
    query_serializer = GamesFilterSerializer

    @extend_schema(
        operation_id="list_games",
        parameters=[IF_NONE_MATCH],
        responses={200: GameSerializer(many=True), 304: None},
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """List public games, those of your clubs and those that you play, the newest first."""
        pages, games = page_of_games(request, self.query["limit"], **self.filters)
        return etag_json(request, pages.body(games))

    @extend_schema(
        operation_id="create_game", request=NewGameSerializer, responses={201: GameSerializer}, parameters=[KEY]
    )
    def post(self, request: AccountRequest) -> Response:
        """Create a game, with you on seat 1. If all other seats are for bots, it starts right away."""
        data = validated_data(NewGameSerializer(data=request.data))
        new_game = NewGame(**{**data, "bots": [Bot(**bot) for bot in data["bots"]]})

        def effect() -> Effect:
            game = create_game(request.user, new_game, API, self.received_at)
            return Effect(game_path(game.id), game.id)

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            return game_response(request, location, status.HTTP_201_CREATED)


class GameDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="get_game", parameters=[IF_NONE_MATCH], responses={200: GameSerializer, 304: None})
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Get a game and its players. Its seed is shown once the game is over."""
        with refusals_as_problems():
            return etag_json(request, _serialize_game(access_to_game(request.user, game).game))


class GameActionView(AccountApiView):
    """Base of views that change a game."""

    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    def change(self, request: AccountRequest, game: UUID, change: Callable[[], object]) -> Response:
        """Make a change once for the request's idempotency key, and return the game after the change."""

        def effect() -> Effect:
            change()
            return Effect(game_path(game), game)

        with refusals_as_problems():
            return game_response(request, run_idempotent(request, effect, self.received_at), status.HTTP_200_OK)


class Join(GameActionView):
    @extend_schema(operation_id="join_game", request=JoinSerializer, responses=GameSerializer, parameters=[KEY])
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Take the next free seat. A private game asks for its code, unless it belongs to a club that you are in.

        When the last seat is taken the game starts. Or it is `starting`: players reveal the seeds that they
        committed to, and the deal waits for a round of the public beacon, if the server uses one.
        """
        joining = validated_data(JoinSerializer(data=request.data))
        seeding = Seeding(joining["seed"], joining["seed_commitment"])
        return self.change(
            request, game, lambda: join_game(game, request.user, joining["code"], API, self.received_at, seeding)
        )


class RevealSeed(GameActionView):
    @extend_schema(operation_id="reveal_seed", request=RevealSerializer, responses=GameSerializer, parameters=[KEY])
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Reveal the seed that you committed to when you joined. You may once the event `table.seeds-awaited` has
        come.

        First check `deal_list` of the game: its digest is `deal_head`, it is the list of this game, and your
        commitment is in it. Keep the head. Look again: if the list has changed, do not reveal.
        """
        data = validated_data(RevealSerializer(data=request.data))

        return self.change(
            request, game, lambda: reveal_seed(game, request.user, data["seed"], data["head"], API, self.received_at)
        )


class Leave(GameActionView):
    @extend_schema(operation_id="leave_game", request=NothingSerializer, responses={204: None}, parameters=[KEY])
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Leave a game that has not started."""
        validated_data(NothingSerializer(data=request.data))

        def effect() -> Effect:
            leave_game(game, request.user, API, self.received_at)
            return Effect(game_path(game), game)

        with refusals_as_problems():
            run_idempotent(request, effect, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Start(GameActionView):
    @extend_schema(operation_id="start_game", request=NothingSerializer, responses=GameSerializer, parameters=[KEY])
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Start with those who sit here and the bots. Only the host may, and only with enough players."""
        validated_data(NothingSerializer(data=request.data))
        return self.change(request, game, lambda: start_game(game, request.user, self.received_at))


class RematchView(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_rematch", responses=RematchOfferSerializer)
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the offer of a rematch of a game that you played, with the answers of its players."""
        with refusals_as_problems():
            return Response(_serialize_rematch(get_rematch(game, request.user)))

    @extend_schema(
        operation_id="rematch_game", request=RematchSerializer, responses=RematchOfferSerializer, parameters=[KEY]
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Offer a rematch of a game that is over, or accept the offer of another player.

        Each player of the game accepts or declines. The rematch starts when all have answered, or at `until` with
        those who have accepted, if they are enough. A player who has reached their limit of games is left out. The
        rematch has the same options except those that the offer names. With `starting_player` at `previous_winner` the
        winner starts. If `starting_player` is a seat, it is a seat of the finished game. A game has one offer.
        """
        data = validated_data(RematchSerializer(data=request.data))
        seeding = Seeding(data["seed"], data["seed_commitment"])

        def effect() -> Effect:
            accept_rematch(game, request.user, data["options"], API, self.received_at, seeding)
            return Effect(reverse("rematch", args=[game]), game)

        with refusals_as_problems():
            run_idempotent(request, effect, self.received_at)
            return Response(_serialize_rematch(get_rematch(game, request.user)))

    @extend_schema(operation_id="decline_rematch", responses={204: None})
    def delete(self, request: AccountRequest, game: UUID) -> Response:
        """Decline a rematch, or withdraw your acceptance before it starts."""
        with refusals_as_problems():
            decline_rematch(game, request.user, API, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PracticeSerializer(StrictSerializer):
    """A moment of a finished game, and a seat."""

    line = serializers.IntegerField(
        min_value=1, help_text="A line of the log. The practice game goes on after the decision that it belongs to."
    )
    seat = serializers.IntegerField(min_value=1, max_value=100, help_text="Your seat. It had a question then.")


class Practice(AccountApiView):
    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="practice_game", request=PracticeSerializer, responses={201: GameSerializer}, parameters=[KEY]
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Try again from a moment of a finished game: a new game in the same position, with bots in the other seats.

        The new game is private and not rated, because you have seen the cards. It has no record. 409 `conflict` while
        the game is not over, and for a seat that had no question then.
        """
        data = validated_data(PracticeSerializer(data=request.data))

        def effect() -> Effect:
            source = access_to_game(request.user, game).game
            practice = create_practice(source, data["line"], data["seat"], request.user, API, self.received_at)
            return Effect(game_path(practice.id), practice.id)

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            return game_response(request, location, status.HTTP_201_CREATED)


class Commitment(PublicApiView):
    """The commitment that binds the server to the draws of a game. It is public for every game."""

    @extend_schema(operation_id="get_commitment", responses=GameCommitmentSerializer)
    def get(self, request: Request, game: UUID) -> Response:
        """Get the commitment that was published when the game was created."""
        row = Game.objects.filter(pk=game).first()
        with refusals_as_problems():
            if row is None:
                raise not_found()
            return Response(GameCommitmentSerializer(row).data)


def game_path(game: UUID) -> str:
    """Return the path of a game in the API."""
    return reverse("game", args=[game])


def game_response(request: AccountRequest, location: str, code: int) -> Response:
    """Return the present state of the game at a location."""
    game = UUID(location.rstrip("/").rpartition("/")[2])
    return Response(_serialize_game(access_to_game(request.user, game).game), code, headers={"Location": location})


def _serialize_rematch(rematch: Rematch) -> Any:
    names = rematch.game.names()
    answers = [{"seat": seat, "name": names[seat], "accepted": accepted} for seat, accepted in rematch.answers.items()]
    offer = rematch.offer
    data = {"state": rematch.state, "seat": offer.seat, "options": offer.options, "until": offer.until}
    return RematchOfferSerializer({**data, "answers": answers, "game": rematch.game.rematch_id}).data


def _serialize_game(game: Game) -> Any:
    player_stats.load([game])
    return GAMES.to_representation(game)


def page_of_games(request: AccountRequest, limit: int, **filters: Any) -> tuple[KeysetPagination, list[Any]]:
    """Return a page of the list of games, and its serialized games."""
    pages = KeysetPagination(limit)
    rows = pages.paginate_queryset(access.list_games(request.user, **filters), request)
    games = access.games_for_reader(rows, request.user)
    player_stats.load(games)
    return pages, [GAMES.to_representation(game) for game in games]
