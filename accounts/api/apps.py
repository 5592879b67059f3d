"""Third-party apps: the ones that the account registered, and the ones to which it gave access."""

from typing import Any, ClassVar

from allauth.idp.oidc.models import Client
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from accounts import tokens
from accounts.api.shared import description
from accounts.api.shared.description import LimitReached
from accounts.api.shared.serializers import ScopeField
from accounts.idempotency import Effect
from accounts.local_times import in_digits
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer

PUBLIC = "public"
CONFIDENTIAL = "confidential"


class NewAppSerializer(StrictSerializer):
    """A new app."""

    name = serializers.CharField(
        max_length=tokens.LONGEST_NAME,
        validators=[tokens.validate_app_name],
        help_text="The name that people read when the app asks them for access.",
    )
    redirect_uris = serializers.ListField(
        child=serializers.CharField(max_length=tokens.LONGEST_ADDRESS, validators=[tokens.validate_redirect_uri]),
        allow_empty=False,
        min_length=1,
        max_length=tokens.MOST_ADDRESSES,
        help_text="The addresses to which people may be sent back: exactly these.",
    )
    scopes = serializers.ListField(
        child=ScopeField(), allow_empty=False, min_length=1, help_text="The most that it will ever ask for."
    )
    type = serializers.ChoiceField(
        choices=[PUBLIC, CONFIDENTIAL],
        default=PUBLIC,
        help_text="`confidential`: it runs on a server and keeps a secret; `public`: PKCE alone.",
    )

    def validate_scopes(self, scopes: list[str]) -> list[str]:
        return tokens.sort_scopes(scopes)


class AppSerializer(serializers.Serializer[Client]):
    """An app that you registered."""

    client_id = serializers.CharField(source="id")
    name = serializers.CharField()
    type = serializers.ChoiceField(choices=[PUBLIC, CONFIDENTIAL])
    redirect_uris = serializers.ListField(child=serializers.CharField(), source="get_redirect_uris")
    scopes = serializers.ListField(child=ScopeField(), source="get_scopes")
    created_at = serializers.DateTimeField()


class RegisteredAppSerializer(AppSerializer):
    """A new app. Its secret is shown only in this answer."""

    client_secret = serializers.CharField(
        allow_null=True, help_text="Null for a public app, which has none, and where the request was made before."
    )


class GrantedAppSerializer(serializers.Serializer[Client]):
    """An app to which you have given access."""

    client_id = serializers.CharField(source="id")
    name = serializers.CharField()
    owner = serializers.CharField(
        source="owner.name",
        default=None,
        allow_null=True,
        help_text="The player who registered the app here; null: the operator, or the app itself.",
    )
    is_verified = serializers.SerializerMethodField(
        help_text="False for an app that registered itself: nobody has checked who made it."
    )

    def get_is_verified(self, app: Client) -> bool:
        return tokens.is_verified_app(app)


class GrantSerializer(serializers.Serializer[Any]):
    """The access of an app to your account."""

    app = GrantedAppSerializer()
    scopes = serializers.ListField(child=ScopeField())
    renewed_at = serializers.DateTimeField(help_text="The time at which it last got a token.")
    expires_at = serializers.DateTimeField(
        allow_null=True, help_text="The time at which this ends, unless it is renewed before."
    )


class Apps(ListApiView):
    """The apps that the account registered."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.ACCOUNT}

    @extend_schema(
        operation_id="list_apps", tags=["apps"], responses=AppSerializer(many=True), examples=description.APPS
    )
    def get(self, request: AccountRequest) -> Response:
        """List your apps, the newest first."""
        return self.page_response(_apps_of(request).order_by("-created_at", "id"), AppSerializer)

    @extend_schema(
        operation_id="create_app",
        tags=["apps"],
        request=NewAppSerializer,
        responses={201: RegisteredAppSerializer, **description.MALFORMED, **description.NOT_NOW, **description.GONE},
        examples=description.NEW_APP,
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Register an app, which may then ask people for tokens: OAuth 2, authorization code with PKCE (S256).

        Send people to `/oauth/authorize`, exchange the code at `/oauth/token`; all of it is described at
        `/.well-known/oauth-authorization-server`.

        Repeated with the same `Idempotency-Key` it returns the app as it is now, without its secret. If you missed
        the secret, delete the app and register another.
        """
        data = validated_data(NewAppSerializer(data=request.data))
        confidential = data.pop("type") == CONFIDENTIAL
        secrets: list[str] = []

        def effect() -> Effect:
            app, secret = tokens.register_app(tokens.NewApp(**data, confidential=confidential), request.user)
            secrets.append(secret)
            return Effect(reverse("app", args=[app.id]))

        try:
            location = run_idempotent(request, effect, self.received_at)
        except tokens.TooManyApps:
            sentence = _("You’ve already registered %(most)s apps, which is the limit. Delete one first.")
            raise LimitReached(sentence % {"most": in_digits(str(tokens.MOST_APPS))}) from None
        app = _get_app(request, id_in_location(location))
        body = {**AppSerializer(app).data, "client_secret": "".join(secrets) or None}
        headers = {"Location": location, "Cache-Control": "no-store"}
        return Response(body, status.HTTP_201_CREATED, headers=headers)


class OneApp(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "DELETE": Scope.ACCOUNT}

    @extend_schema(operation_id="get_app", tags=["apps"], responses=AppSerializer, examples=description.APPS)
    def get(self, request: AccountRequest, app: str) -> Response:
        """Get one of your apps, without its secret."""
        return Response(AppSerializer(_get_app(request, app)).data)

    @extend_schema(operation_id="delete_app", tags=["apps"], responses={204: None})
    def delete(self, request: AccountRequest, app: str) -> Response:
        """Delete an app. All its tokens end immediately."""
        deleted, _ = _apps_of(request).filter(id=app).delete()
        if not deleted:
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


class Grants(ListApiView):
    """The apps to which the account gave access."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT}

    @extend_schema(
        operation_id="list_grants", tags=["apps"], responses=GrantSerializer(many=True), examples=description.GRANTS
    )
    def get(self, request: AccountRequest) -> Response:
        """List the apps that may act for you, with their rights."""
        return self.page_response(tokens.grants_of(request.user, timezone.now()), GrantSerializer)


class OneGrant(AccountApiView):
    required_scopes: ClassVar = {"DELETE": Scope.ACCOUNT}

    @extend_schema(operation_id="delete_grant", tags=["apps"], responses={204: None})
    def delete(self, request: AccountRequest, app: str) -> Response:
        """Revoke all tokens that an app has from you."""
        if not tokens.revoke_app(request.user.pk, app):
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


def _apps_of(request: AccountRequest) -> QuerySet[Client]:
    apps: QuerySet[Client] = Client.objects.filter(owner=request.user)
    return apps


def _get_app(request: AccountRequest, app: str) -> Client:
    row = _apps_of(request).filter(id=app).first()
    if row is None:
        raise NotFound
    return row
