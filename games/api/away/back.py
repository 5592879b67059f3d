"""Coming back to a seat that a bot has played meanwhile."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from accounts.web.api_view import KEY, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer
from games.api.lobby.games import GameActionView
from games.api.shared.problems import refusals_as_problems
from games.api.shared.serializers import GameSerializer
from games.play import absence
from games.visibility.access import access_to_game


class ComeBack(GameActionView):
    @extend_schema(operation_id="come_back", request=NothingSerializer, responses=GameSerializer, parameters=[KEY])
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Come back to your seat: the bot that plays for you leaves, and your missed questions are counted from zero
        again.

        Any move of your own does the same.
        """
        validated_data(NothingSerializer(data=request.data))
        with refusals_as_problems():
            access_to_game(request.user, game)
        return self.change(request, game, lambda: absence.come_back(game, request.user, self.received_at))
