"""The endpoints of OAuth 2. allauth finds them by these names."""

from django.urls import include, path

from accounts.oauth import registration, views

_endpoints = (
    [
        path("oauth/authorize", views.Consent.as_view(), name="authorization"),
        path("oauth/token", views.Tokens.as_view(), name="token"),
        path("oauth/register", registration.register, name="register"),
        path("oauth/revoke", views.Revocation.as_view(), name="revoke"),
    ],
    "oidc",
)
urlpatterns = [
    path("", include(([path("", include(_endpoints))], "idp"))),
    path(".well-known/oauth-authorization-server", views.metadata, name="oauth-metadata"),
]
