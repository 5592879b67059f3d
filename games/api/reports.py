"""Reports to the moderators."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.models import Account, Report
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games import moderation
from games.api.shared.problems import refusals_as_problems
from games.engine import Phrase, SeatNumber, gettext_noop
from games.refusals import Refusal, not_found
from games.visibility.access import access_to_game

_GAME = "462dab4c-ae43-4f05-8f2b-0d7f5c1e2a90"
_EXAMPLES = [
    OpenApiExample(
        "A chat message",
        {
            "kind": "message",
            "game": _GAME,
            "message": "0c0de5a4-5b1f-4b55-a8f3-95a0d7b8b1c2",
            "reason": "This is an insult.",
        },
        request_only=True,
    ),
    OpenApiExample(
        "A name", {"kind": "name", "game": _GAME, "seat": 3, "reason": "The name is an insult."}, request_only=True
    ),
]


class NewReportSerializer(StrictSerializer):
    """A report to the moderators."""

    kind = serializers.ChoiceField(choices=Report.Kind.choices)
    game = serializers.UUIDField()
    message = serializers.UUIDField(required=False, help_text="With `message`: the id of the chat message.")
    seat = serializers.IntegerField(
        min_value=1, max_value=100, required=False, help_text="With `name` and `conduct`: the seat of the player."
    )
    reason = serializers.CharField(
        max_length=moderation.MAX_LENGTH, help_text="The reason for your report, in your words."
    )


class ReportSerializer(serializers.Serializer[Any]):
    """A report that you made."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Report.Kind.choices)
    reason = serializers.CharField()
    created_at = serializers.DateTimeField(source="made_at")
    state = serializers.ChoiceField(choices=Report.State.choices)


class ReportList(ListApiView):
    """The reports that the account made."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.CHAT}

    @extend_schema(operation_id="list_reports", tags=["people"], responses=ReportSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List your reports, the newest first, and whether a moderator has dealt with them."""
        rows = Report.objects.filter(reporter=request.user).order_by("-made_at", "-id")
        return self.page_response(rows, ReportSerializer)

    @extend_schema(
        operation_id="create_report",
        tags=["people"],
        request=NewReportSerializer,
        responses={201: ReportSerializer},
        parameters=[KEY],
        examples=_EXAMPLES,
    )
    def post(self, request: AccountRequest) -> Response:
        """Report a chat message, a name, or the behaviour of a player. A copy of what you saw is attached."""
        data = validated_data(NewReportSerializer(data=request.data))

        def effect() -> Effect:
            report = _create_report(request.user, data, self.received_at)
            return Effect(reverse("report", args=[report.pk]))

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
        report = Report.objects.get(pk=location.rstrip("/").rpartition("/")[2])
        return Response(ReportSerializer(report).data, status.HTTP_201_CREATED, headers={"Location": location})


class ReportDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT}

    @extend_schema(operation_id="get_report", tags=["people"], responses=ReportSerializer)
    def get(self, request: AccountRequest, report: UUID) -> Response:
        """Get one of your reports."""
        with refusals_as_problems():
            row = Report.objects.filter(reporter=request.user, pk=report).first()
            if row is None:
                raise not_found()
            return Response(ReportSerializer(row).data)


def _create_report(reporter: Account, data: dict[str, Any], now: Any) -> Report:
    game = access_to_game(reporter, data["game"]).game
    needed, other = ("message", "seat") if data["kind"] == Report.Kind.MESSAGE else ("seat", "message")
    if needed not in data or other in data:
        sentence = gettext_noop("To report a message, name the message. To report a name or conduct, name the seat.")
        raise Refusal("malformed", Phrase(sentence), needed)
    if needed == "message":
        return moderation.report_message(game, reporter, data["message"], data["reason"], now)
    return moderation.report_player(game, reporter, SeatNumber(data["seat"]), data["kind"], data["reason"], now)
