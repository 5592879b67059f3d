"""URLs of sign-up, log-in and settings. allauth finds some of these pages by their names."""

from django.urls import path

from accounts.pages import (
    authentication,
    channels,
    second_address,
    settings,
    tokens,
    two_factor,
)

urlpatterns = [
    path("signup/", authentication.sign_up, name="account_signup"),
    path("signup/code/", authentication.confirm, name="account_email_verification_sent"),
    path("login/", authentication.log_in, name="account_login"),
    path("login/second-factor/", two_factor.second_factor, name="mfa_authenticate"),
    path("login/again/", two_factor.reauthenticate, name="account_reauthenticate"),
    path("logout/", authentication.log_out, name="account_logout"),
    path("password/", authentication.request_password_reset, name="account_reset_password"),
    path("password/code/", authentication.reset_password_by_code, name="account_confirm_password_reset_code"),
    path("emails/second-address/<str:token>/", second_address.second_address, name="second-address"),
    path("language/", authentication.switch_language, name="language"),
    path("settings/", settings.profile, name="settings"),
    path("settings/password/", settings.password, name="settings-password"),
    path("settings/tokens/", tokens.sessions_and_tokens, name="settings-tokens"),
    path("settings/tokens/<uuid:public_id>/", tokens.revoke_token, name="settings-revoke"),
    path("settings/tokens/apps/<slug:client_id>/", tokens.revoke_app, name="settings-forbid"),
    path("settings/tokens/sessions/<int:session>/", tokens.end_session, name="settings-session"),
    path("settings/tokens/sign-out/", tokens.sign_out_everywhere, name="settings-sign-out"),
    path("settings/two-factor/", two_factor.overview, name="settings-factors"),
    path("settings/two-factor/app/", two_factor.app, name="settings-factor-app"),
    path("settings/two-factor/passkey/", two_factor.passkey, name="settings-factor-passkey"),
    path("settings/two-factor/codes/", two_factor.codes, name="settings-factor-codes"),
    path("settings/two-factor/<int:factor>/remove/", two_factor.remove, name="settings-factor-remove"),
    path("settings/account/", settings.export_and_delete, name="settings-account"),
    path("settings/account/code/", settings.send_deletion_code, name="settings-code"),
    path("settings/account/export/", settings.export, name="settings-export"),
    path("settings/account/export/<uuid:id>/", settings.download, name="settings-download"),
    path("settings/address/", settings.address, name="settings-address"),
    path("settings/channels/", channels.channels, name="settings-channels"),
    path("settings/channels/<slug:channel>/test/", channels.test_channel, name="settings-channel-test"),
    path("settings/devices/<uuid:device>/", channels.remove_device, name="settings-device"),
    path("settings/webhooks/", channels.list_webhooks, name="settings-webhooks"),
    path("settings/webhooks/<uuid:id>/", channels.delete_webhook, name="settings-webhook"),
    path("settings/webhooks/<uuid:id>/test/", channels.test_webhook, name="settings-webhook-test"),
    path("settings/people/", settings.people, name="settings-people"),
]
