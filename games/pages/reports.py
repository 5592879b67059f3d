"""Forms to block and mute players, and to report them to the moderators."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import blocks, names
from accounts.models import Account, Block, Follow, Mute, Report
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games import moderation
from games.engine import SeatNumber
from games.pages.game_views import visible_game
from games.pages.posted_forms import posted_text, refusal_text
from games.pages.titles import GameOverview
from games.phrases import number, player
from games.refusals import Refusal
from games.visibility import table
from games.visibility.access import GameAccess


class MessageReportForm(forms.Form):
    """The form to report a chat message."""

    reason = forms.CharField(
        label=gettext_lazy("What is wrong?"),
        max_length=moderation.MAX_LENGTH,
        widget=forms.Textarea(attrs={"dir": "auto"}),
    )


class PlayerReportForm(MessageReportForm):
    """The form to report a player."""

    seat = forms.TypedChoiceField(label=pgettext_lazy("label of a field", "Who"), coerce=int)
    kind = forms.ChoiceField(
        label=gettext_lazy("What it’s about"),
        choices=[
            (Report.Kind.NAME.value, gettext_lazy("their name")),
            (Report.Kind.CONDUCT.value, gettext_lazy("how they behave")),
        ],
    )
    field_order = ("seat", "kind", "reason")

    def __init__(self, access: GameAccess, data: Any) -> None:
        super().__init__(data)
        names = access.game.names()
        others = [seat for seat in access.game.seats.all() if seat.account_id and seat.account_id != access.account.pk]
        seats: Any = self.fields["seat"]
        seats.choices = [(seat.number, player(SeatNumber(seat.number), names)) for seat in others]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_page(request: AccountHttpRequest, game: UUID, message: UUID | None = None) -> HttpResponse:
    """Show and handle the form to report a chat message or a player."""
    access = visible_game(request, game)
    sent = request.POST if request.method == "POST" else None
    words = "" if message is None else _reported_text(access, message)
    form = PlayerReportForm(access, sent) if message is None else MessageReportForm(sent)
    if form.is_valid():
        try:
            _file_report(access, message, form.cleaned_data)
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("The moderators will look at it. Thank you."))
            return redirect("pages:game", game)
    context = {"form": form, "words": words, "overview": GameOverview(access.game), "game": access.game}
    return render(request, "games/report.html", context, status=422 if form.errors else 200)


def _reported_text(access: GameAccess, message: UUID) -> str:
    row = table.readable_messages(access.game, access.account).filter(public_id=message).first()
    text = None if row is None else table.visible_message(row).text
    if text is None:
        raise Http404
    return text


def _file_report(access: GameAccess, message: UUID | None, fields: dict[str, Any]) -> None:
    now = clock.now()
    if message is not None:
        moderation.report_message(access.game, access.account, message, fields["reason"], now)
    else:
        seat = SeatNumber(fields["seat"])
        moderation.report_player(access.game, access.account, seat, fields["kind"], fields["reason"], now)


@login_required
@require_POST
def change_relation(request: AccountHttpRequest) -> HttpResponse:
    """Follow, block or mute an account by name, or undo it."""
    me = request.user
    other = Account.objects.filter(folded_name=names.fold(posted_text(request, "name", names.LONGEST))).first()
    if other is None or other == me:
        raise Http404
    try:
        _apply_relation(me, other, posted_text(request, "do", 10))
    except blocks.TooManyPeople:
        sentence = _("You have %(most)s people on this list, which is the limit. Remove one of them first.")
        messages.error(request, sentence % {"most": number(blocks.MOST)})
    else:
        messages.success(request, pgettext("message", "Saved."))
    return redirect("pages:player", other.name)


def _apply_relation(me: Account, other: Account, action: str) -> None:
    """Carry out an action. Raises Http404 for an unknown one, and TooManyPeople."""
    match action:
        case "block":
            blocks.block(me, other, clock.now())
        case "mute":
            blocks.mute(me, other, clock.now())
        case "follow":
            blocks.follow(me, other, clock.now())
        case "unfollow":
            Follow.objects.filter(owner=me, other=other).delete()
        case "unblock":
            Block.objects.filter(owner=me, other=other).delete()
        case "unmute":
            Mute.objects.filter(owner=me, other=other).delete()
        case _:
            raise Http404
