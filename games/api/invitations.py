"""Invitations by email to a game."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts import credentials
from accounts.idempotency import Effect
from accounts.models import Language
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games.announcements.invitation_emails import is_answerable
from games.api.shared.problems import refusals_as_problems
from games.models import Invitation
from games.tables import invitations

# The state of an invitation without an answer whose game has started or was cancelled.
LAPSED = "lapsed"
STATES = [*Invitation.State.choices, (LAPSED, "Lapsed")]


class NewInvitationSerializer(StrictSerializer):
    """An invitation to send."""

    email = serializers.EmailField(
        max_length=credentials.LONGEST,
        validators=[credentials.validate_address],
        help_text="The address to which the invitation goes.",
    )
    language = serializers.ChoiceField(choices=Language.choices, help_text="The language of the invitation.")
    note = serializers.CharField(
        max_length=invitations.LONGEST_NOTE,
        allow_blank=True,
        default="",
        help_text="A line of your own, which the email shows as yours. It may have no links.",
    )
    seat = serializers.IntegerField(
        min_value=1,
        required=False,
        help_text="In a running game: the seat that is offered; needed if there are several.",
    )


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """An invitation, as the players of the game see it."""

    email = serializers.SerializerMethodField(
        help_text="The address it went to; null to everyone except its sender, and once the address is forgotten."
    )
    inviter = serializers.CharField(source="inviter.name", help_text="The name of its sender.")
    language = serializers.ChoiceField(choices=Language.choices)
    seat = serializers.IntegerField(
        allow_null=True,
        help_text="The seat of a running game that is offered; null: the next free one.",
    )
    state = serializers.SerializerMethodField(
        help_text="`open`: there is no answer yet, or the email never arrived; `lapsed`: it is too late to answer."
    )

    class Meta:
        model = Invitation
        fields: ClassVar = ["id", "email", "inviter", "language", "seat", "state", "created_at", "answered_at"]

    def get_email(self, invitation: Invitation) -> str | None:
        is_inviter = invitation.inviter_id == self.context["account"].pk
        return invitation.address if is_inviter and invitation.address else None

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, invitation: Invitation) -> str:
        is_open = invitation.state == Invitation.State.OPEN
        return LAPSED if is_open and not is_answerable(invitation) else invitation.state


_INVITATION = {
    "id": "0b9f7c52-3a1d-4f0e-9d6b-1c2e3f405162",
    "email": "bahareh@example.org",
    "inviter": "Maryam",
    "language": "fa",
    "seat": None,
    "state": "open",
    "created_at": "2026-03-22T12:00:00Z",
    "answered_at": None,
}
# Every address gets the same text. It must not reveal who owns an address, or how they answered before.
_TOO_MANY = OpenApiResponse(
    description="`rate-limited`: you have sent too many invitations, in all, to this address or to its domain; "
    "`detail` says which."
)
_EXAMPLES = [
    OpenApiExample("In Persian", {"email": "bahareh@example.org", "language": "fa"}, request_only=True),
    OpenApiExample("Invited", _INVITATION, response_only=True, status_codes=["201", "200"]),
]


class InvitationList(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="list_invitations",
        responses=InvitationSerializer(many=True),
        examples=[OpenApiExample("One invitation", _INVITATION, response_only=True)],
    )
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """List the invitations to a game that you play, and what became of each, the first one first."""
        with refusals_as_problems():
            rows = invitations.list_invitations(game, request.user)
        return self.page_response(rows, InvitationSerializer, account=request.user)

    @extend_schema(
        operation_id="create_invitation",
        request=NewInvitationSerializer,
        responses={201: InvitationSerializer, 429: _TOO_MANY},
        parameters=[KEY],
        examples=_EXAMPLES,
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Invite someone by email to a game that you play: to an open one, or to a seat that is offered.

        They answer by email or on a page: `join` seats them, with a new account if the address has none; `no`
        declines; `never` ends all email to the address. The answer to this request is the same whether the address
        has an account or not, and whether its owner wants emails from the server or from you: in some of these cases
        no email goes out.
        """
        data = validated_data(NewInvitationSerializer(data=request.data))

        def effect() -> Effect:
            recipient, seat = (data["email"], data["language"]), data.get("seat")
            invitation = invitations.invite(game, request.user, *recipient, self.received_at, seat, data["note"])
            return Effect(reverse("invitation", args=[game, invitation.pk]), game)

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            invitation = invitations.get_invitation(game, request.user, UUID(location.rstrip("/").rpartition("/")[2]))
        return Response(_serialize(request, invitation), status.HTTP_201_CREATED, headers={"Location": location})


class InvitationDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="get_invitation",
        responses=InvitationSerializer,
        examples=[OpenApiExample("No answer yet", _INVITATION, response_only=True)],
    )
    def get(self, request: AccountRequest, game: UUID, invitation: UUID) -> Response:
        """Get an invitation to a game that you play."""
        with refusals_as_problems():
            return Response(_serialize(request, invitations.get_invitation(game, request.user, invitation)))

    @extend_schema(operation_id="delete_invitation", responses={204: None})
    def delete(self, request: AccountRequest, game: UUID, invitation: UUID) -> Response:
        """Withdraw an invitation that you sent, unless it was accepted. An answer to it is then refused with the
        reason."""
        with refusals_as_problems():
            invitations.withdraw(game, request.user, invitation, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _serialize(request: AccountRequest, invitation: Invitation) -> Any:
    return InvitationSerializer(invitation, context={"account": request.user}).data
