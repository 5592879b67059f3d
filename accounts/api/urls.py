"""URLs of accounts and tokens below ``/api/v1/``."""

from django.urls import path

from accounts.api import (
    apps,
    channels,
    me,
    people,
    tokens,
    webhooks,
)

urlpatterns = [
    path("accounts/", me.SignUp.as_view(), name="accounts"),
    path("accounts/confirm/", me.Confirm.as_view(), name="confirm"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:token>/", tokens.OneToken.as_view(), name="token"),
    path("me/", me.Me.as_view(), name="me"),
    path("me/apps/", apps.Apps.as_view(), name="apps"),
    path("me/apps/<slug:app>/", apps.OneApp.as_view(), name="app"),
    path("me/grants/", apps.Grants.as_view(), name="grants"),
    path("me/grants/<slug:app>/", apps.OneGrant.as_view(), name="grant"),
    path("me/sessions/", tokens.Sessions.as_view(), name="sessions"),
    path("me/sessions/<int:session>/", tokens.OneSession.as_view(), name="session"),
    path("me/sign-out-everywhere/", tokens.SignOut.as_view(), name="sign-out-everywhere"),
    path("me/devices/", channels.Devices.as_view(), name="devices"),
    path("me/devices/<uuid:device>/", channels.OneDevice.as_view(), name="device"),
    path("me/webhooks/", webhooks.Webhooks.as_view(), name="webhooks"),
    path("me/webhooks/<uuid:webhook>/", webhooks.OneWebhook.as_view(), name="webhook"),
    path("me/webhooks/<uuid:webhook>/secret/", webhooks.Secret.as_view(), name="webhook-secret"),
    path("me/webhooks/<uuid:webhook>/test/", webhooks.Test.as_view(), name="webhook-test"),
    path("me/webhooks/<uuid:webhook>/deliveries/", webhooks.Deliveries.as_view(), name="webhook-deliveries"),
    path("me/webhooks/<uuid:webhook>/deliveries/<str:delivery>/retry/", webhooks.Retry.as_view(), name="webhook-retry"),
    path("stream/", channels.Stream.as_view(), name="stream"),
    path("me/people/<slug:relation>/", people.People.as_view(), name="people"),
    path("me/people/<slug:relation>/<uuid:person>/", people.Person.as_view(), name="person"),
    path("me/export/", me.Export.as_view(), name="export"),
    path("me/deletion/", me.Deletion.as_view(), name="deletion"),
    path("me/deletion/code/", me.DeletionCode.as_view(), name="deletion-code"),
    path("me/confirmation/", channels.Confirmation.as_view(), name="confirmation"),
]
