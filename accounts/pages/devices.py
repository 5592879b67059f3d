"""The settings of the ways by which notices come: which way for which kind, and the devices that show pushes."""

from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.pages.entry import page
from accounts.web.requests import AccountHttpRequest
from notifications.endpoints import Device
from notifications.models import Preferences
from notifications.recipients import preferences
from notifications.recipients.channel_choice import CHOICES, MAIL, PUSH, USUAL, WEBHOOK

_KINDS: Final = {
    "question": gettext_lazy("A question to me"),
    "reminder": gettext_lazy("A reminder of a question"),
    "game": gettext_lazy("A game begins or ends"),
    "chat": gettext_lazy("Somebody writes in the chat"),
    "invitation": gettext_lazy("An invitation"),
}
_WAYS: Final = {
    MAIL: gettext_lazy("by email"),
    PUSH: gettext_lazy("on my devices"),
    WEBHOOK: gettext_lazy("to my webhook"),
}


class Ways(forms.Form):
    """By which ways each kind of rendered notification is to come."""

    def __init__(self, wanted: Preferences, sent: Any = None) -> None:
        known = {kind: wanted.channels.get(kind, list(USUAL)) for kind in CHOICES}
        super().__init__(sent, initial=known)
        for kind in CHOICES:
            self.fields[kind] = forms.MultipleChoiceField(
                label=_KINDS[kind],
                required=False,
                choices=list(_WAYS.items()),
                widget=forms.CheckboxSelectMultiple,
            )


@never_cache
@login_required
@page
def devices(request: AccountHttpRequest) -> HttpResponse:
    """The ways, and my devices."""
    account = request.user
    wanted = preferences.of(account)
    form = Ways(wanted, request.POST if request.method == "POST" else None)
    if form.is_valid():
        preferences.change(account, {"channels": form.cleaned_data}, timezone.now())
        messages.success(request, _("Your settings are kept."))
        return redirect("settings-devices")
    mine = Device.objects.filter(account=account).order_by("-created_at")
    shown = {"place": "settings", "part": "devices", "form": form, "devices": mine}
    return render(request, "accounts/settings/devices.html", shown, status=422 if form.errors else 200)


@login_required
@require_POST
def remove(request: AccountHttpRequest, device: UUID) -> HttpResponse:
    """Push to a device of mine no more."""
    deleted, _by_model = Device.objects.filter(account=request.user, pk=device).delete()
    if not deleted:
        raise Http404
    messages.success(request, _("Nothing is shown on that device any more."))
    return redirect("settings-devices")
