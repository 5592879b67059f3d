"""Signing up, in and out. The names are those by which allauth finds such pages."""

from django.urls import path

from accounts.pages import account, devices, entry, language, password, settings, webhooks

urlpatterns = [
    path("signup/", entry.sign_up, name="account_signup"),
    path("signup/code/", entry.confirm, name="account_email_verification_sent"),
    path("login/", entry.log_in, name="account_login"),
    path("logout/", entry.log_out, name="account_logout"),
    path("password/", password.forgotten, name="account_reset_password"),
    path("password/code/", password.renew, name="account_confirm_password_reset_code"),
    path("language/", language.switch, name="language"),
    path("settings/", settings.profile, name="settings"),
    path("settings/password/", settings.password, name="settings-password"),
    path("settings/programs/", settings.programs, name="settings-programs"),
    path("settings/programs/tokens/<uuid:public_id>/", settings.revoke, name="settings-revoke"),
    path("settings/programs/apps/<slug:client_id>/", settings.forbid, name="settings-forbid"),
    path("settings/account/", account.account, name="settings-account"),
    path("settings/account/code/", account.code, name="settings-code"),
    path("settings/account/export/", account.export, name="settings-export"),
    path("settings/devices/", devices.devices, name="settings-devices"),
    path("settings/devices/<uuid:device>/", devices.remove, name="settings-device"),
    path("settings/webhooks/", webhooks.webhooks, name="settings-webhooks"),
    path("settings/webhooks/<uuid:id>/", webhooks.delete, name="settings-webhook"),
    path("settings/webhooks/<uuid:id>/test/", webhooks.test, name="settings-webhook-test"),
    path("settings/people/", settings.people, name="settings-people"),
]
