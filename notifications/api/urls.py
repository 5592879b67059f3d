"""URLs of the pages about emails and pushes."""

from django.urls import path

from notifications.api import confirm, mailbox, push, stop

urlpatterns = [
    path("emails/stop/<str:token>/", stop.stop, name="stop"),
    path("emails/confirm/<str:token>/", confirm.confirm, name="confirm-address"),
    path("service-worker.js", push.service_worker, name="service-worker"),
    path("push/subscriptions/", push.subscribe, name="push-subscriptions"),
    path("mailbox/", mailbox.mails, name="mailbox"),
    path("mailbox/<uuid:notification_id>/", mailbox.mail, name="mailbox-mail"),
    path("mailbox/<uuid:notification_id>/html/", mailbox.html_part, name="mailbox-html"),
]
