"""URLs of the pages about emails and pushes."""

from django.urls import path

from notifications.api import (
    emails,
    mailbox,
    push,
)

urlpatterns = [
    path("emails/stop/<str:token>/", emails.stop, name="stop"),
    path("emails/confirm/<str:token>/", emails.confirm, name="confirm-address"),
    path("service-worker.js", push.service_worker, name="service-worker"),
    path("push/subscriptions/", push.subscribe, name="push-subscriptions"),
    path("push/renewals/", push.renew, name="push-renewals"),
    path("mailbox/", mailbox.mails, name="mailbox"),
    path("mailbox/<uuid:notification_id>/", mailbox.mail, name="mailbox-mail"),
    path("mailbox/<uuid:notification_id>/html/", mailbox.html_part, name="mailbox-html"),
]
