"""Tournaments: creating, changing, starting and cancelling them, entries, rounds and standings."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.models import Account
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer
from games.api.shared.problems import refusals_as_problems
from games.api.tournament_serializers import (
    EntryChangesSerializer,
    EntrySerializer,
    NewTournamentSerializer,
    StandingSerializer,
    TournamentChangesSerializer,
    TournamentRoundSerializer,
    TournamentSerializer,
    TournamentsFilterSerializer,
)
from games.models import Tournament
from games.refusals import not_found
from games.tournaments import entering, organizing, progress
from games.tournaments.entering import get_tournament, list_tournaments, tournaments_with_progress
from games.tournaments.new_tournament import NewTournament, create_tournament


class TournamentList(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY}
    query_serializer = TournamentsFilterSerializer

    @extend_schema(
        operation_id="list_tournaments",
        tags=["tournaments"],
        responses=TournamentSerializer(many=True),
    )
    def get(self, request: AccountRequest) -> Response:
        """List public tournaments and those of your clubs, the newest first."""
        return self.page_response(list_tournaments(request.user, **self.filters), TournamentSerializer)

    @extend_schema(
        operation_id="create_tournament",
        tags=["tournaments"],
        request=NewTournamentSerializer,
        responses={201: TournamentSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Create a tournament. You do not take part yourself, unless you enter it.

        It is cancelled if fewer than three players have entered when it starts. In a club, the owner and organizers
        may. Bot accounts may not.
        """
        data: dict[str, Any] = validated_data(NewTournamentSerializer(data=request.data))

        def effect() -> Effect:
            tournament = create_tournament(request.user, NewTournament(**data), self.received_at)
            return Effect(reverse("tournament", args=[tournament.pk]))

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            body = _body(request.user, UUID(id_in_location(location)))
        return Response(body, status.HTTP_201_CREATED, headers={"Location": location})


class TournamentDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "PATCH": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_tournament", tags=["tournaments"], responses=TournamentSerializer)
    def get(self, request: AccountRequest, tournament: UUID) -> Response:
        """Get a tournament. Its seed is shown once it has ended."""
        with refusals_as_problems():
            return Response(_body(request.user, tournament))

    @extend_schema(
        operation_id="change_tournament",
        tags=["tournaments"],
        request=TournamentChangesSerializer,
        responses=TournamentSerializer,
    )
    def patch(self, request: AccountRequest, tournament: UUID) -> Response:
        """Change the name, the description or the start of a tournament. Its host and organizers of its club may."""
        data: dict[str, Any] = validated_data(TournamentChangesSerializer(data=request.data))
        with refusals_as_problems():
            organizing.change(request.user, tournament, self.received_at, **data)
            return Response(_body(request.user, tournament))


class TournamentActionView(AccountApiView):
    """Base of views that change a tournament."""

    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    def change(self, request: AccountRequest, tournament: UUID, change: Callable[..., Tournament]) -> Response:
        """Make a change once for the request's idempotency key, and return the tournament after the change."""
        validated_data(NothingSerializer(data=request.data))

        def effect() -> Effect:
            change(request.user, tournament, self.received_at)
            return Effect(reverse("tournament", args=[tournament]))

        with refusals_as_problems():
            run_idempotent(request, effect, self.received_at)
            return Response(_body(request.user, tournament))


class StartTournament(TournamentActionView):
    @extend_schema(
        operation_id="start_tournament",
        tags=["tournaments"],
        request=NothingSerializer,
        responses=TournamentSerializer,
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, tournament: UUID) -> Response:
        """Start with those who have entered, before the published time. Its host and organizers of its club may.

        A later season of a league starts at its date.
        """
        return self.change(request, tournament, organizing.begin)


class CancelTournament(TournamentActionView):
    @extend_schema(
        operation_id="cancel_tournament",
        tags=["tournaments"],
        request=NothingSerializer,
        responses=TournamentSerializer,
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, tournament: UUID) -> Response:
        """Cancel a tournament. Its games go on by themselves. Its host and organizers of its club may."""
        return self.change(request, tournament, organizing.cancel)


class EntryDetail(AccountApiView):
    """The account's part in a tournament."""

    required_scopes: ClassVar = {
        "GET": Scope.GAMES_READ,
        "PUT": Scope.GAMES_PLAY,
        "PATCH": Scope.GAMES_PLAY,
        "DELETE": Scope.GAMES_PLAY,
    }

    @extend_schema(operation_id="get_entry", tags=["tournaments"], responses=EntrySerializer)
    def get(self, request: AccountRequest, tournament: UUID) -> Response:
        """Get your part in a tournament; 404 if you take none."""
        with refusals_as_problems():
            entry = entering.find_entry(request.user, get_tournament(request.user, tournament))
            if entry is None:
                raise not_found()
        return Response(EntrySerializer(entry).data)

    @extend_schema(
        operation_id="enter_tournament",
        tags=["tournaments"],
        request=NothingSerializer,
        responses=EntrySerializer,
    )
    def put(self, request: AccountRequest, tournament: UUID) -> Response:
        """Enter a tournament that is open. If you take part already, nothing changes. Bot accounts may not.

        By this you say yes to your game of every round, which starts without another question. In a league, players who
        were not absent are entered in the next season too. `DELETE` ends your part.
        """
        validated_data(NothingSerializer(data=request.data))
        with refusals_as_problems():
            return Response(EntrySerializer(entering.enter(request.user, tournament, self.received_at)).data)

    @extend_schema(
        operation_id="change_entry", tags=["tournaments"], request=EntryChangesSerializer, responses=EntrySerializer
    )
    def patch(self, request: AccountRequest, tournament: UUID) -> Response:
        """Announce which rounds you sit out, and choose whether you get notifications of rounds."""
        data: dict[str, Any] = validated_data(EntryChangesSerializer(data=request.data))
        with refusals_as_problems():
            entry = entering.change_entry(request.user, tournament, data.get("sits_out"), data.get("notify"))
        return Response(EntrySerializer(entry).data)

    @extend_schema(operation_id="delete_entry", tags=["tournaments"], responses={204: None})
    def delete(self, request: AccountRequest, tournament: UUID) -> Response:
        """Leave a tournament for good. The games that you play go on."""
        with refusals_as_problems():
            entering.withdraw(request.user, tournament, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Standings(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="list_standings", tags=["tournaments"], responses=StandingSerializer(many=True))
    def get(self, request: AccountRequest, tournament: UUID) -> Response:
        """List all players, the best first, by the results of the rounds that have ended."""
        with refusals_as_problems():
            row = get_tournament(request.user, tournament)
        return self.page_response(progress.standings(row), StandingSerializer)


class RoundList(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="list_rounds", tags=["tournaments"], responses=TournamentRoundSerializer(many=True))
    def get(self, request: AccountRequest, tournament: UUID) -> Response:
        """List the rounds that are drawn, the newest first, with their tables and results."""
        with refusals_as_problems():
            row = get_tournament(request.user, tournament)
        return self.page_response(progress.round_views(row), TournamentRoundSerializer)


def _body(account: Account, tournament: UUID) -> Any:
    """Return a tournament for an account. Raises Refusal(not-found)."""
    row = tournaments_with_progress(account).filter(pk=tournament).first()
    if row is None:
        raise not_found()
    return TournamentSerializer(row).data
