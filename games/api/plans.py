"""The plans of a player in a game. Other players never see them."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.urls import reverse
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games.api.shared.fields import RulesOwnField
from games.api.shared.problems import refusals_as_problems
from games.api.shared.schema import GAME_MOVE, GAME_PLAN, qualify, unqualify
from games.engine import Notation
from games.event_log import log_store
from games.models import Plan
from games.phrases import render_phrase
from games.play import plans
from games.play.submit import MAX_TEXT_LENGTH
from games.refusals import not_found
from games.visibility.access import GameAccess, access_to_game


class NewPlanSerializer(StrictSerializer):
    """A plan to make: either `plan` or `text`, and never both."""

    one_of = ("plan", "text")
    one_of_sentence = gettext_lazy("Send a plan either as text or as JSON.")

    plan = RulesOwnField(GAME_PLAN, required=False)
    text = serializers.CharField(
        required=False, max_length=MAX_TEXT_LENGTH, help_text="In notation, as people write it."
    )


class LastAnswerSerializer(serializers.Serializer[Any]):
    """The last answer of a plan."""

    at = serializers.DateTimeField()
    move = RulesOwnField(GAME_MOVE)
    text = serializers.CharField(help_text="The move in notation.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="The move in your language."
    )


class StoredPlanSerializer(serializers.Serializer[Any]):
    """A plan of your own."""

    id = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Its number in emails: from 1, and never used again.")
    plan = RulesOwnField(GAME_PLAN)
    text = serializers.CharField(help_text="The plan in its canonical notation.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="The plan as a sentence, in your language."
    )
    state = serializers.ChoiceField(
        choices=["standing", "carried-out", "lapsed"],
        help_text="A plan that is used once is done when it has answered, and lapses when it cannot.",
    )
    created_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(
        allow_null=True, help_text="The time at which a plan was used, or lapsed; null while it is active."
    )
    times = serializers.IntegerField(help_text="The number of times that it has answered.")
    last = LastAnswerSerializer(allow_null=True)

    def to_representation(self, row: Plan) -> dict[str, Any]:
        return _serialize_plan(self.context["access"], row)


class PlanList(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_PLAY, "POST": Scope.GAMES_PLAY}

    @extend_schema(operation_id="list_plans", tags=["play"], responses=StoredPlanSerializer(many=True))
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """List your plans and their uses. Other players never see them.

        Active plans come first, in the order in which they are tried, then those that are done, the latest first.
        """
        with refusals_as_problems():
            access = access_to_game(request.user, game)
            rows = (*plans.active_plans(access.game, request.user), *plans.finished_plans(access.game, request.user))
            return self.page_response(rows, StoredPlanSerializer, access=access)

    @extend_schema(
        operation_id="create_plan",
        tags=["play"],
        request=NewPlanSerializer,
        responses={201: StoredPlanSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Make a plan that answers for you whenever it fits; it also answers your open questions.

        The other players cannot see that a plan answered. The most specific plan is tried first. There is at most one
        plan for each subject, but any number of `next-turn` plans up to the limit: on each turn the first one that is
        possible is used. If you make one while it is your turn, it is for a later turn. A plan that is used once
        (`challenge`, `next-turn`) is done when it has answered; `next-turn` also when it is not possible, and when you
        are asked to prove, show or lose a card or get the bomb. You may make one together with any answer during
        another player's turn.
        """
        with refusals_as_problems():
            data = _read_plan(request)
            access = access_to_game(request.user, game)
            plan = _unqualified(access, data)

            def effect() -> Effect:
                plan_id = plans.store_plan(game, request.user, plan, self.received_at)
                return Effect(reverse("plan", args=[game, plan_id]), game)

            location = run_idempotent(request, effect, self.received_at)
            body = _serialize_plan(access, _get_plan(access, UUID(id_in_location(location))))
        return Response(body, status.HTTP_201_CREATED, headers={"Location": location})


class PlanDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_PLAY, "PUT": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_plan", tags=["play"], responses=StoredPlanSerializer)
    def get(self, request: AccountRequest, game: UUID, plan: UUID) -> Response:
        """Get one of your plans; 404 once it was withdrawn."""
        with refusals_as_problems():
            access = access_to_game(request.user, game)
            return Response(_serialize_plan(access, _get_plan(access, plan)))

    @extend_schema(operation_id="change_plan", tags=["play"], request=NewPlanSerializer, responses=StoredPlanSerializer)
    def put(self, request: AccountRequest, game: UUID, plan: UUID) -> Response:
        """Replace an active plan by another; 409 once it is done."""
        with refusals_as_problems():
            data = _read_plan(request)
            access = access_to_game(request.user, game)
            new_plan = _unqualified(access, data)
            plans.store_plan(game, request.user, new_plan, self.received_at, _get_plan(access, plan))
            return Response(_serialize_plan(access, _get_plan(access, plan)))

    @extend_schema(operation_id="delete_plan", tags=["play"], responses={204: None})
    def delete(self, request: AccountRequest, game: UUID, plan: UUID) -> Response:
        """Withdraw a plan; 409 once it is done."""
        with refusals_as_problems():
            plans.withdraw(_get_plan(access_to_game(request.user, game), plan), self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_plan(access: GameAccess, plan: UUID) -> Plan:
    row = Plan.objects.filter(pk=plan, game=access.game, account=access.account).first()
    if row is None:
        raise not_found()
    return row


def _read_plan(request: Request) -> Any:
    """Return the plan in a request, as JSON or as Notation."""
    data = validated_data(NewPlanSerializer(data=request.data))
    return Notation(data["text"]) if "text" in data else data["plan"]


def _unqualified(access: GameAccess, plan: Any) -> Any:
    return plan if isinstance(plan, Notation) else unqualify(access.game.rules, plan, "plan")


def _serialize_plan(access: GameAccess, row: Plan) -> dict[str, Any]:
    plan, rules = plans.decode_plan(access.game, row), log_store.rules_of(access.game)
    assert rules.plans is not None
    return {
        "id": row.pk,
        "number": row.number,
        "plan": qualify(rules.name, msgspec.to_builtins(plan)),
        "text": rules.plans.text(plan),
        "label": render_phrase(rules.plans.describe(plan), access.names),
        "state": "standing" if row.done_at is None else "carried-out" if row.times else "lapsed",
        "created_at": row.created_at,
        "done_at": row.done_at,
        "times": row.times,
        "last": _last_answer(access, row),
    }


def _last_answer(access: GameAccess, row: Plan) -> dict[str, Any] | None:
    move, rules = plans.last_answer(access.game, row), log_store.rules_of(access.game)
    if move is None:
        return None
    label = render_phrase(rules.words.label(move), access.names)
    return {
        "at": row.last_at,
        "move": qualify(rules.name, msgspec.json.decode(row.last_answer or "")),
        "text": rules.text(move),
        "label": label,
    }
