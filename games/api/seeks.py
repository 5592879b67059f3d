"""Ways to find players: seeks, the arena of bot accounts, and the stream of open games."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import (
    KEY,
    AccountApiView,
    ListApiView,
    OneForm,
    id_in_location,
    refuse_stream,
    run_idempotent,
    validated_data,
)
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer, PeriodField, QuerySerializer, StrictSerializer
from games.api.shared.fields import RATING, RELIABILITY, OptionsField
from games.api.shared.problems import refusals_as_problems
from games.models import Seek
from games.rules.registry import RULES
from games.tables import arena, seeks
from games.tables.arena import list_bots
from games.tables.seeks import NewSeek, create_seek
from games.terms import SPEEDS, USUAL

_LEAST_FILL, _MOST_FILL = "PT1M", "P13D"


class NewSeekSerializer(StrictSerializer):
    """The game that you want to play."""

    rules = serializers.CharField(max_length=40, help_text="The game's name, one of those at `rules/`.")
    least = serializers.IntegerField(min_value=1, max_value=100, help_text="The least number of players.")
    most = serializers.IntegerField(min_value=1, max_value=100, help_text="The greatest number of players.")
    speed = serializers.ChoiceField(
        choices=list(SPEEDS),
        default=USUAL,
        help_text="`live`: 5 minutes a turn; `evening`: 30 minutes; `daily`: 2 days; `slow`: 5 days. "
        "The search lasts an hour, 6 hours, 7 days or 14 days. In the arena `live` alone is possible, and usual.",
    )
    options = OptionsField(default=dict, help_text="The options that the game must have. Others may be anything.")
    fill_after = PeriodField(
        shortest=_LEAST_FILL,
        longest=_MOST_FILL,
        allow_null=True,
        default=None,
        help_text="The time after which bots may take the free seats. Null: people only, rated among people. In the "
        "arena it counts from the last time that one of your games started or ended; null: bot accounts only.",
    )
    games_at_once = serializers.IntegerField(
        min_value=1,
        max_value=arena.MOST_AT_ONCE,
        allow_null=True,
        default=None,
        help_text="Of a bot account: it enters the arena, and plays this number of games in parallel, game after game.",
    )

    shows_name = serializers.BooleanField(
        default=False, help_text="Whether `seeks/open/` names you to the players that you follow. It names nobody else."
    )

    def to_internal_value(self, data: Any) -> Any:
        """Validate a seek. The default speed of a seek for the arena is the arena's own."""
        seek = super().to_internal_value(data)
        if seek["games_at_once"] is not None and "speed" not in data:
            seek["speed"] = arena.SPEED
        return seek


class SeekSerializer(serializers.ModelSerializer[Seek]):
    """A search for players."""

    speed = serializers.ChoiceField(choices=list(SPEEDS))
    options = OptionsField()
    fill_after = PeriodField(shortest=_LEAST_FILL, longest=_MOST_FILL, allow_null=True)
    state = serializers.ChoiceField(
        choices=Seek.State.choices,
        help_text="`matched`: its game has been created; `lapsed`: its time was over before; `removed`: three "
        "questions of the bot account timed out within an hour, so it was taken out of the arena.",
    )
    games_at_once = serializers.IntegerField(
        allow_null=True,
        help_text="The number of games that a bot account plays in parallel in the arena; null outside it.",
    )
    game = serializers.UUIDField(
        source="game_id", allow_null=True, help_text="The game that was created for it; null in the arena."
    )
    until = serializers.DateTimeField(help_text="The time at which the search lapses, unless it is matched before.")

    class Meta:
        model = Seek
        fields: ClassVar = [
            "id",
            "rules",
            "least",
            "most",
            "speed",
            "options",
            "fill_after",
            "games_at_once",
            "shows_name",
            "state",
            "game",
            "created_at",
            "until",
            "ended_at",
        ]


class SeekList(ListApiView):
    """The seeks of the account."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY}

    @extend_schema(operation_id="list_seeks", tags=["games"], responses=SeekSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List your searches for players, the newest first. A search that has ended is kept for 30 days."""
        return self.page_response(seeks.list_seeks(request.user), SeekSerializer)

    @extend_schema(
        operation_id="create_seek",
        tags=["games"],
        request=NewSeekSerializer,
        responses={201: SeekSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Look for players who want the same game: a public one starts as soon as there are enough.

        By this you say yes to the game, which starts without another question. Everyone sees all searches at
        `seeks/open/`, and may join them.

        You are never matched with a player you have blocked, or who has blocked you. While you are on vacation,
        or absent from another game, you are not matched. You may have three open searches, for different games.

        A bot account enters the arena with `games_at_once`. It stays there for 90 days, or until you withdraw the
        search, and plays game after game with other bot accounts. Those of one mailbox never meet. With `fill_after`
        Darbar bots of the level `normal` take the free seats. A bot that lets three questions time out within an hour
        is taken out (`removed`), and may enter again once that hour is over. Ratings of the arena are its own: `arena/`
        shows them.
        """
        data: dict[str, Any] = validated_data(NewSeekSerializer(data=request.data))

        def effect() -> Effect:
            seek = create_seek(request.user, NewSeek(**data), self.received_at)
            return Effect(reverse("seek", args=[seek.pk]))

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            seek = seeks.get_seek(request.user, UUID(id_in_location(location)))
        return Response(SeekSerializer(seek).data, status.HTTP_201_CREATED, headers={"Location": location})


class OpenSeekSerializer(serializers.Serializer[Any]):
    """The searches for one game in the open lobby."""

    id = serializers.CharField(source="game.id", help_text="The id with which you join. It stays the same for a game.")
    rules = serializers.CharField(source="game.rules")
    least = serializers.IntegerField(source="game.least", help_text="The least number of players.")
    most = serializers.IntegerField(source="game.most", help_text="The greatest number of players.")
    speed = serializers.ChoiceField(source="game.speed", choices=list(SPEEDS))
    options = OptionsField(source="game.options", help_text="The options that the game must have.")
    fill_after = PeriodField(source="game.fill_after", shortest=_LEAST_FILL, longest=_MOST_FILL, allow_null=True)
    player_count = serializers.IntegerField(
        help_text="The number of players found, below `least`: with enough players that can meet, the game starts."
    )
    names = serializers.ListField(
        child=serializers.CharField(),
        help_text="The players among them who follow you and have agreed to be named to you.",
    )
    joined = serializers.BooleanField(source="is_own", help_text="Whether you are among them.")


class OpenSeekList(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="list_open_seeks", tags=["games"], responses=OpenSeekSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List all searches for players, those for the same game together.

        Everyone gets the same list, except for `names` and `joined`. It shows no ages and no online states.
        """
        return self.page_response(seeks.list_entries(request.user), OpenSeekSerializer)


class JoinSeek(AccountApiView):
    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="join_seek",
        tags=["games"],
        request=NothingSerializer,
        responses={201: SeekSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, entry: str) -> Response:
        """Join a search: you look for the same game, as `POST seeks/` does.

        By this you say yes to the game, which starts as soon as enough players are found.
        """
        validated_data(NothingSerializer(data=request.data))

        def effect() -> Effect:
            return Effect(reverse("seek", args=[seeks.join_search(request.user, entry, self.received_at).pk]))

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            seek = seeks.get_seek(request.user, UUID(id_in_location(location)))
        return Response(SeekSerializer(seek).data, status.HTTP_201_CREATED, headers={"Location": location})


class SeekDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_seek", tags=["games"], responses=SeekSerializer)
    def get(self, request: AccountRequest, seek: UUID) -> Response:
        """Get one of your searches, and its game if it was matched."""
        with refusals_as_problems():
            return Response(SeekSerializer(seeks.get_seek(request.user, seek)).data)

    @extend_schema(operation_id="delete_seek", tags=["games"], responses={204: None})
    def delete(self, request: AccountRequest, seek: UUID) -> Response:
        """Stop a search, or leave the arena. A search that has been matched cannot be withdrawn."""
        with refusals_as_problems():
            seeks.withdraw(request.user, seek, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ArenaBotSerializer(serializers.Serializer[Any]):
    """A bot in the arena: a bot account with its search, or the Darbar bots that fill tables."""

    name = serializers.CharField(
        source="account.name", allow_null=True, default=None, help_text="Null for the Darbar bots."
    )
    rules = serializers.CharField(source="stats.rules", help_text="The game.")
    least = serializers.IntegerField(
        source="seek.least", allow_null=True, default=None, help_text="The least number of players."
    )
    most = serializers.IntegerField(
        source="seek.most", allow_null=True, default=None, help_text="The greatest number of players."
    )
    options = OptionsField(source="seek.options", default=dict, help_text="The options that its games must have.")
    fill_after = PeriodField(
        source="seek.fill_after",
        shortest="PT1M",
        longest="P13D",
        allow_null=True,
        default=None,
        help_text="The time after which Darbar bots may take the free seats; null: never.",
    )
    games_at_once = serializers.IntegerField(
        source="seek.games_at_once",
        allow_null=True,
        default=None,
        help_text="The number of games that it plays in parallel.",
    )
    games = serializers.IntegerField(source="stats.games", help_text="The number of finished games in the arena.")
    wins = serializers.IntegerField(source="stats.wins", help_text="The number of those that it won.")
    rating = serializers.IntegerField(help_text=f"{RATING} Of games in the arena alone.")
    reliability = serializers.FloatField(allow_null=True, help_text=RELIABILITY)
    running = serializers.ListField(
        child=serializers.UUIDField(), help_text="The games that it plays now. They are public."
    )


class Arena(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="list_arena_bots", tags=["games"], responses=ArenaBotSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List the bots in the arena, by game, best first. The list is empty on a server without an arena.

        A bot account enters with `POST seeks/` and `games_at_once`.
        """
        return self.page_response(list_bots(self.received_at), ArenaBotSerializer)


class OpenGamesFilterSerializer(QuerySerializer):
    """A filter of the open games in the stream."""

    rules = serializers.ChoiceField(choices=sorted(RULES), required=False, help_text="Only games with these rules.")
    seat_count = serializers.IntegerField(
        min_value=1, max_value=100, required=False, help_text="Only games for this many players."
    )


class OpenGamesStream(AccountApiView):
    required_scopes: ClassVar[dict[str, Any]] = {"GET": Scope.GAMES_READ}
    query_serializer = OpenGamesFilterSerializer
    content_negotiation_class = OneForm

    @extend_schema(
        operation_id="follow_open_games",
        tags=["stream"],
        responses={
            (200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, "Server-sent events, without an end."),
            404: OpenApiResponse(None, "`not-found`: the stream is at another address, which `me/` names."),
        },
    )
    def get(self, request: AccountRequest) -> Response:
        """Follow the public games that can be joined over one connection: server-sent events.

        `open-game`: a game can be joined, or has changed; `closed-game` {game}: it can no longer be joined. At first
        it tells you about all that can be joined, the newest 500 at most; after an interruption just connect again.
        Its address is `stream` of `me/` with `games/` after it. It is one of your 20 streams, and ends in the same way.
        """
        refuse_stream()
