"""Webhooks, after Standard Webhooks: addresses of a player's own programs that get notifications."""

from collections.abc import Callable
from typing import Any, ClassVar, Final
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, NotFound
from rest_framework.response import Response

from accounts.api.shared import description
from accounts.api.shared.description import Conflict, LimitReached, translate_errors
from accounts.idempotency import Effect
from accounts.local_times import in_digits
from accounts.rate_limits import WEBHOOK_TESTS, enforce
from accounts.tokens import Scope
from accounts.web.api_view import (
    KEY,
    AccountApiView,
    ListApiView,
    id_in_location,
    may_show_secret,
    run_idempotent,
    validated_data,
)
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer, StrictSerializer
from notifications import webhooks
from notifications.endpoints import LONGEST_URL, Kind, Webhook
from notifications.models import Notification, State
from notifications.outgoing import Failure, ForbiddenAddress, place_of

KINDS: Final = [(kind.value, kind.value) for kind in Kind if kind is not Kind.TEST]
_STATES: Final = {State.READY: "waiting", State.SENT: "delivered"}
_FAILED: Final = "failed"


class WebhookSerializer(StrictSerializer):
    """An address to which notifications for you are posted."""

    id = serializers.UUIDField(read_only=True)
    url = serializers.CharField(
        max_length=LONGEST_URL,
        help_text="An https URL of a public host. It is looked at again each time something is posted: the name must "
        "lead to public addresses only, and redirects are not followed.",
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS),
        allow_empty=False,
        min_length=1,
        help_text="The kinds of notifications that are posted to it: `question`: you are asked something; "
        "`closed`: a question to you is closed; `event`: something happened in your game that you are shown; "
        "`game`: one of your games has started, ended or been cancelled; `chat`: someone wrote something in the "
        "chat that you may read; `presence`: all who play are here now.",
    )
    created_at = serializers.DateTimeField(read_only=True)
    disabled_at = serializers.DateTimeField(
        read_only=True,
        allow_null=True,
        help_text="The time since which nothing is posted, because it accepted nothing for three days, or "
        "answered 410.",
    )
    failing_since = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="The time of the first failure since it last accepted something."
    )

    def validate_url(self, url: str) -> str:
        try:
            place_of(url, loopback=settings.OUTGOING_LOOPBACK)
        except ForbiddenAddress as error:
            raise serializers.ValidationError(ErrorDetail(str(error), code="address")) from None
        return url

    def validate_kinds(self, kinds: list[str]) -> list[str]:
        return list(dict.fromkeys(kinds))


class WebhookRequestSerializer(WebhookSerializer):
    """An address to register."""


class IssuedWebhookSerializer(WebhookSerializer):
    """A webhook with the secret for checking its signatures, which is shown only in this answer."""

    secret = serializers.CharField(
        read_only=True,
        help_text="As Standard Webhooks writes it: `whsec_…`. Empty if the request is repeated after an hour.",
    )


class WebhookChangesSerializer(WebhookSerializer):
    """The changes to a webhook."""

    enabled = serializers.BooleanField(required=False, help_text="`true`: post to it again.")

    def validate_enabled(self, enabled: bool) -> bool:
        if not enabled:
            sentence = _("To end a webhook, delete it.")
            raise serializers.ValidationError(ErrorDetail(sentence, code="enabled"))
        return enabled


class DeliverySerializer(serializers.Serializer[Any]):
    """A message to a webhook, and its outcome."""

    id = serializers.SerializerMethodField(help_text="The `webhook-id` of the message, the same for every try.")
    type = serializers.CharField(source="reason")
    timestamp = serializers.DateTimeField(source="created_at", help_text="The time at which it happened.")
    data = serializers.DictField(  # type: ignore[assignment]  # a field, which leaves ``Serializer.data`` alone
        help_text="The content of the message."
    )
    state = serializers.SerializerMethodField()
    attempts = serializers.IntegerField(
        help_text="The number of attempts so far. It is 0 again after a request to post a delivered or failed message "
        "again."
    )
    next_attempt_at = serializers.SerializerMethodField(
        help_text="The time of the next attempt; none while the webhook is switched off."
    )
    tried_at = serializers.DateTimeField(help_text="The time of the last attempt.", allow_null=True)
    status = serializers.IntegerField(help_text="The HTTP status of the last answer.", allow_null=True)
    failure = serializers.ChoiceField(
        choices=[(failure_kind.value, failure_kind.value) for failure_kind in Failure],
        help_text="The reason why there was no answer.",
        allow_blank=True,
    )

    def get_id(self, delivery: Notification) -> str:
        return webhooks.message_id(delivery)

    @extend_schema_field(serializers.ChoiceField(choices=[*_STATES.values(), _FAILED]))
    def get_state(self, delivery: Notification) -> str:
        return _STATES.get(State(delivery.state), _FAILED)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_next_attempt_at(self, delivery: Notification) -> Any:
        waits = delivery.state == State.READY
        return serializers.DateTimeField().to_representation(delivery.next_attempt_at) if waits else None


class _WebhookView(AccountApiView):
    required_scopes: ClassVar = dict.fromkeys(("GET", "POST", "PATCH", "DELETE"), Scope.WEBHOOKS)

    def _post_message(self, request: AccountRequest, webhook: Webhook, add: Callable[[], Notification]) -> Response:
        """Answer with the message that ``add`` puts in the outbox. A repeated request adds none."""
        validated_data(NothingSerializer(data=request.data))

        def effect() -> Effect:
            if webhook.disabled_at is not None:
                raise Conflict(_("This webhook is switched off: switch it on first."))
            enforce(request.user.pk, WEBHOOK_TESTS, self.received_at)
            return Effect(f"{reverse('webhook-deliveries', args=[webhook.pk])}#{webhooks.message_id(add())}")

        with translate_errors():
            location = run_idempotent(request, effect, self.received_at)
        body = DeliverySerializer(_get_delivery(webhook, location.rpartition("#")[2])).data
        return Response(body, status.HTTP_202_ACCEPTED, headers={"Location": location})

    def _response_with_secret(self, request: AccountRequest, webhook: Webhook, location: str, code: int) -> Response:
        secret = webhooks.secret(webhook) if may_show_secret(request, self.received_at) else ""
        body = {**WebhookSerializer(webhook).data, "secret": secret}
        return Response(body, code, headers={"Location": location, "Cache-Control": "no-store"})


class Webhooks(_WebhookView, ListApiView):
    @extend_schema(operation_id="list_webhooks", tags=["webhooks"], responses=WebhookSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List your webhooks, the oldest first, without their secrets."""
        return self.page_response(request.user.webhooks.order_by("created_at", "id"), WebhookSerializer)

    @extend_schema(
        operation_id="create_webhook",
        tags=["webhooks"],
        request=WebhookRequestSerializer,
        responses={201: IssuedWebhookSerializer, **description.NOT_NOW, **description.GONE},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Register an address to which notifications for you are posted. Its secret is shown only in this answer.

        Messages are signed after Standard Webhooks. They carry ids and kinds only; the rest takes a request with a
        token. A message that is not answered with 2xx in 10 seconds is posted again with growing pauses, up to 19
        times in two days. Meanwhile later messages about the same game wait for it, so that their order is kept; those
        about other games do not. An address that you have registered already is a `conflict`.

        Repeated with the same `Idempotency-Key` it returns the webhook in its present state, for an hour with the
        secret. If you missed the secret, ask for a new one at `secret/`.
        """
        data = validated_data(WebhookRequestSerializer(data=request.data))

        def effect() -> Effect:
            webhook = webhooks.register_webhook(request.user, data["url"], data["kinds"], self.received_at)
            return Effect(reverse("webhook", args=[webhook.id]))

        try:
            location = run_idempotent(request, effect, self.received_at)
        except webhooks.TooMany:
            sentence = _("You have %(most)s webhooks, which is the limit. Delete one first.")
            raise LimitReached(sentence % {"most": in_digits(str(webhooks.MOST))}) from None
        except webhooks.AlreadyThere:
            raise Conflict(_("You already have a webhook at this address.")) from None
        webhook = _get_webhook(request, id_in_location(location))
        return self._response_with_secret(request, webhook, location, status.HTTP_201_CREATED)


class OneWebhook(_WebhookView):
    @extend_schema(operation_id="get_webhook", tags=["webhooks"], responses=WebhookSerializer)
    def get(self, request: AccountRequest, webhook: UUID) -> Response:
        """Get one of your webhooks, without its secret."""
        return Response(WebhookSerializer(_get_webhook(request, webhook)).data)

    @extend_schema(
        operation_id="change_webhook",
        tags=["webhooks"],
        request=WebhookChangesSerializer,
        responses={200: WebhookSerializer, 409: None},
    )
    def patch(self, request: AccountRequest, webhook: UUID) -> Response:
        """Change the address or the events of a webhook, or switch it on again."""
        row = _get_webhook(request, webhook)
        changes = validated_data(WebhookChangesSerializer(data=request.data, partial=True))
        try:
            return Response(WebhookSerializer(webhooks.change_webhook(row, changes)).data)
        except webhooks.AlreadyThere:
            raise Conflict(_("You already have a webhook at this address.")) from None

    @extend_schema(operation_id="delete_webhook", tags=["webhooks"], responses={204: None})
    def delete(self, request: AccountRequest, webhook: UUID) -> Response:
        """Delete a webhook. Nothing more is posted to it, not even what waits."""
        webhooks.delete(_get_webhook(request, webhook))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Secret(_WebhookView):
    @extend_schema(
        operation_id="rotate_webhook_secret",
        tags=["webhooks"],
        request=NothingSerializer,
        responses={200: IssuedWebhookSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, webhook: UUID) -> Response:
        """Give a webhook a new secret, shown only in this answer. For a day messages are signed with the former one
        too.

        Repeated with the same `Idempotency-Key` it makes no other secret. For an hour it returns the present one.
        """
        row = _get_webhook(request, webhook)
        validated_data(NothingSerializer(data=request.data))

        def effect() -> Effect:
            webhooks.rotate(row, self.received_at)
            return Effect(reverse("webhook", args=[webhook]))

        location = run_idempotent(request, effect, self.received_at)
        return self._response_with_secret(request, row, location, status.HTTP_200_OK)


class Test(_WebhookView):
    @extend_schema(
        operation_id="test_webhook",
        tags=["webhooks"],
        request=NothingSerializer,
        responses={202: DeliverySerializer, 409: None},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, webhook: UUID) -> Response:
        """Post a message of the type `test` now. Its outcome is listed among the deliveries."""
        row = _get_webhook(request, webhook)
        return self._post_message(request, row, lambda: webhooks.test(row, self.received_at))


class Deliveries(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.WEBHOOKS}

    @extend_schema(operation_id="list_webhook_deliveries", tags=["webhooks"], responses=DeliverySerializer(many=True))
    def get(self, request: AccountRequest, webhook: UUID) -> Response:
        """List the messages and their outcomes, the latest first. They are kept for 30 days."""
        return self.page_response(webhooks.messages(_get_webhook(request, webhook)), DeliverySerializer)


class Retry(_WebhookView):
    @extend_schema(
        operation_id="retry_webhook_delivery",
        tags=["webhooks"],
        request=NothingSerializer,
        responses={202: DeliverySerializer, 409: None},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, webhook: UUID, delivery: str) -> Response:
        """Post a message again now, with the same `webhook-id`.

        One that still waits is posted without its pause, and one that is being posted is not posted twice. Order is
        kept: it waits for earlier messages about its game, and later ones that still wait go after it.
        """
        row = _get_webhook(request, webhook)
        message = _get_delivery(row, delivery)
        return self._post_message(request, row, lambda: webhooks.send_again(message, self.received_at))


def _get_delivery(webhook: Webhook, id: str) -> Notification:
    delivery = webhooks.messages(webhook).filter(key=f"{id.removeprefix('msg_')}:{webhook.pk}").first()
    if delivery is None:
        raise NotFound
    return delivery


def _get_webhook(request: AccountRequest, webhook: UUID | str) -> Webhook:
    row = Webhook.objects.filter(account=request.user, pk=webhook).select_related("account").first()
    if row is None:
        raise NotFound
    return row
