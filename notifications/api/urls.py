"""The addresses of the mailbox page."""

from django.urls import path

from notifications.api import mailbox

urlpatterns = [
    path("mailbox/", mailbox.mails, name="mailbox"),
    path("mailbox/<uuid:letter_id>/", mailbox.mail, name="mailbox-mail"),
    path("mailbox/<uuid:letter_id>/html/", mailbox.html_part, name="mailbox-html"),
]
