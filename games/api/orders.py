"""Standing orders: answers given ahead, for their owner alone. Below ``/api/v1/``."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.once import Effect
from accounts.requests import KEY, Door, checked, effect_of
from accounts.scopes import Scope
from accounts.serializers import StrictSerializer
from games import log_store
from games.api.problems import told
from games.api.schema import GAME_ORDER
from games.api.serializers import RulesOwnField
from games.models import StandingOrder
from games.play import orders
from games.play.access import Sight, sight
from games.play.speak import speak
from games.play.table import not_found


class GivingSerializer(StrictSerializer):
    """An order to be given."""

    order = RulesOwnField(GAME_ORDER)


class OrderSerializer(serializers.Serializer[Any]):
    """A standing order of mine."""

    id = serializers.UUIDField()
    order = RulesOwnField(GAME_ORDER)
    text = serializers.CharField(help_text="The order as a sentence, in my language.")
    created_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(
        allow_null=True, help_text="When an order for once was carried out, or lapsed; such a one is listed no more."
    )


class Orders(Door):
    """My standing orders in a game."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_PLAY, "POST": Scope.GAMES_PLAY}

    @extend_schema(operation_id="list_orders", tags=["play"], responses=OrderSerializer(many=True))
    def get(self, request: Request, game: UUID) -> Response:
        """My orders, in the order in which they are asked. Nobody else ever sees them."""
        with told():
            seen = sight(request.user, game)
            return Response([_told(seen, row) for row in orders.of_seat(seen.game, request.user)])

    @extend_schema(
        operation_id="give_order",
        tags=["play"],
        request=GivingSerializer,
        responses={201: OrderSerializer},
        parameters=[KEY],
    )
    def post(self, request: Request, game: UUID) -> Response:
        """Have something answered for me whenever it is asked; what is open now is answered at once.

        Orders answer as I would: nobody learns that it was an order. The more particular one is asked first. An order
        for once (`challenge`, `next-turn`) is done when it has answered; `next-turn` also when it cannot be played.
        """
        order = checked(GivingSerializer(data=request.data))["order"]
        with told():
            seen = sight(request.user, game)

            def effect() -> Effect:
                given = orders.give(game, request.user, order, self.received_at)
                return Effect(reverse("order", args=[game, given]), game)

            location = effect_of(request, effect, self.received_at)
            said = _told(seen, _own(seen, UUID(location.rstrip("/").rpartition("/")[2])))
        return Response(said, status.HTTP_201_CREATED, headers={"Location": location})


class OneOrder(Door):
    """One standing order of mine."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_PLAY, "PUT": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_order", tags=["play"], responses=OrderSerializer)
    def get(self, request: Request, game: UUID, order: UUID) -> Response:
        """An order of mine; 404 once it is gone."""
        with told():
            seen = sight(request.user, game)
            return Response(_told(seen, _own(seen, order)))

    @extend_schema(operation_id="change_order", tags=["play"], request=GivingSerializer, responses=OrderSerializer)
    def put(self, request: Request, game: UUID, order: UUID) -> Response:
        """Put another order in the place of one."""
        wanted = checked(GivingSerializer(data=request.data))["order"]
        with told():
            seen = sight(request.user, game)
            orders.give(game, request.user, wanted, self.received_at, _own(seen, order))
            return Response(_told(seen, _own(seen, order)))

    @extend_schema(operation_id="withdraw_order", tags=["play"], responses={204: None})
    def delete(self, request: Request, game: UUID, order: UUID) -> Response:
        """Take an order back."""
        with told():
            orders.withdraw(_own(sight(request.user, game), order))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _own(seen: Sight, order: UUID) -> StandingOrder:
    found = StandingOrder.objects.filter(pk=order, game=seen.game, account=seen.account).first()
    if found is None:
        raise not_found()
    return found


def _told(seen: Sight, row: StandingOrder) -> dict[str, Any]:
    order = orders.decoded(seen.game, row)
    words = log_store.rules_of(seen.game).orders
    assert words is not None
    return {
        "id": row.pk,
        "order": msgspec.to_builtins(order),
        "text": speak(words.describe(order), seen.names),
        "created_at": row.created_at,
        "done_at": row.done_at,
    }
