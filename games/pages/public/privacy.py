"""The privacy page: the data that the server stores about people, for how long, and who may see them."""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.authentication import codes
from accounts.authentication.sessions import DEVICE_KEPT
from accounts.people import guests
from accounts.web.compression import compressed_for_visitors
from games.lobby import invitations
from games.seeks import own_seeks
from games.text.phrases import period
from games.visibility import presence
from notifications import received_mail
from notifications.stream import stream_events
from notifications.webhooks import posting


class StoredData(NamedTuple):
    """A kind of stored data, and how long it is stored."""

    what: str
    how_long: str


@require_safe
@compressed_for_visitors
def privacy_page(request: HttpRequest) -> HttpResponse:
    """Show the privacy page. Its lengths of time are those after which the server deletes the data."""
    context = {
        "kept": [*_stored_data()],
        "cookie": period(DEVICE_KEPT),
        "sightings": settings.KEEP_SIGHTINGS,
    }
    return render(request, "games/privacy.html", context)


def _stored_data() -> Iterator[StoredData]:
    """Yield the data that are stored until their owner deletes them, then those that are deleted automatically."""
    account = _("Your account: name, email address, language, time zone, settings, and a hash of your password")
    yield StoredData(account, _("until you delete it"))
    yield StoredData(_("Your moves, plans, results and chat messages"), _("until you delete your account"))
    sightings = _("When a page first showed you a question, to learn what games wait for")
    yield StoredData(sightings, _("until the game is over"))
    presences = _("That you have a game open, on a page or in an app, if you agree to show it")
    yield StoredData(presences, period(presence.KEPT))
    hours = _("The hours of the day at which you usually answer, for your own reminders, unless you switch it off")
    yield StoredData(hours, _("until you delete your account"))
    yield StoredData(_("Your clubs and your role in each"), _("until you leave them"))
    yield StoredData(_("The tournaments that you take part in, and your places"), _("until you delete your account"))
    yield StoredData(
        _("Your name in a group's chat, for reminders"), _("until you delete it, or the chat is disconnected")
    )
    yield StoredData(_("An address that wants no email from us, as a hash"), _("until it wants email again"))
    yield StoredData(_("A guest and their games, from the first visit on"), period(guests.KEPT))
    yield StoredData(_("An address that was not confirmed, and the code for it"), period(codes.KEPT))
    sessions = _("Where you are logged in: browser and network address, from the login until you log out")
    yield StoredData(sessions, _at_most(timedelta(seconds=settings.SESSION_COOKIE_AGE)))
    if settings.KEEP_SIGHTINGS:
        places = _("The networks and browsers in which you used your account, as hashes with a key of this server")
        yield StoredData(places, period(settings.KEEP_SIGHTINGS))
    yield StoredData(_("The text of emails and notifications that we sent you"), period(settings.KEEP_EMAILS))
    yield StoredData(_("The text of an email that you send us"), _("until we have read it"))
    yield StoredData(_("The same, if an error stops us from reading it"), _at_most(received_mail.KEPT))
    invited = _("An address to which somebody sent an invitation, unless it still waits for an answer")
    yield StoredData(invited, period(invitations.ADDRESS_RETENTION))
    yield StoredData(_("A search for players, after its end"), period(own_seeks.RETENTION))
    stream = _("The messages of the event stream, for open pages and apps, also that all who play are here")
    yield StoredData(stream, period(stream_events.KEPT))
    yield StoredData(_("The calls of your webhooks, with the same messages"), period(posting.KEPT))


def _at_most(length: timedelta) -> str:
    return _("%(length)s at most") % {"length": period(length)}
