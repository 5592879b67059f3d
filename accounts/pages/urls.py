"""Signing up, in and out. The names are those by which allauth finds such pages."""

from django.urls import path

from accounts.pages import (
    account,
    authentication,
    channels,
    factors,
    language,
    password,
    reauthentication,
    settings,
    tokens,
    webhooks,
)

urlpatterns = [
    path("signup/", authentication.sign_up, name="account_signup"),
    path("signup/code/", authentication.confirm, name="account_email_verification_sent"),
    path("login/", authentication.log_in, name="account_login"),
    path("login/second-factor/", reauthentication.second_factor, name="mfa_authenticate"),
    path("login/again/", reauthentication.reauthenticate, name="account_reauthenticate"),
    path("logout/", authentication.log_out, name="account_logout"),
    path("password/", password.forgotten, name="account_reset_password"),
    path("password/code/", password.renew, name="account_confirm_password_reset_code"),
    path("language/", language.switch, name="language"),
    path("settings/", settings.profile, name="settings"),
    path("settings/password/", settings.password, name="settings-password"),
    path("settings/tokens/", tokens.sessions_and_tokens, name="settings-tokens"),
    path("settings/tokens/<uuid:public_id>/", tokens.revoke_token, name="settings-revoke"),
    path("settings/tokens/apps/<slug:client_id>/", tokens.revoke_app, name="settings-forbid"),
    path("settings/tokens/sessions/<int:session>/", tokens.end_session, name="settings-session"),
    path("settings/tokens/sign-out/", tokens.sign_out_everywhere, name="settings-sign-out"),
    path("settings/two-factor/", factors.overview, name="settings-factors"),
    path("settings/two-factor/app/", factors.app, name="settings-factor-app"),
    path("settings/two-factor/passkey/", factors.passkey, name="settings-factor-passkey"),
    path("settings/two-factor/codes/", factors.codes, name="settings-factor-codes"),
    path("settings/two-factor/<int:factor>/remove/", factors.remove, name="settings-factor-remove"),
    path("settings/account/", account.account, name="settings-account"),
    path("settings/account/code/", account.code, name="settings-code"),
    path("settings/account/export/", account.export, name="settings-export"),
    path("settings/channels/", channels.channels, name="settings-channels"),
    path("settings/devices/<uuid:device>/", channels.remove, name="settings-device"),
    path("settings/webhooks/", webhooks.webhooks, name="settings-webhooks"),
    path("settings/webhooks/<uuid:id>/", webhooks.delete, name="settings-webhook"),
    path("settings/webhooks/<uuid:id>/test/", webhooks.test, name="settings-webhook-test"),
    path("settings/people/", settings.people, name="settings-people"),
]
