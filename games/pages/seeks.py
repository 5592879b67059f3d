"""Finding players: the open lobby, the reader's seeks, the form for a new one, and the resulting games."""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.idempotency import Effect
from accounts.models import Account
from accounts.web.requests import AccountHttpRequest, account_of, compressed_for_visitors
from accounts.web.selects import PlainSelect
from config.core import clock
from games.engine import AnyRules
from games.models import Seek
from games.pages.form_fields import PERIODS
from games.pages.new_game_form import list_speeds
from games.pages.posted_forms import new_key, once_only, refusal_text
from games.pages.titles import list_rules
from games.phrases import isolated, number, period, render_phrase
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables import seeks
from games.tables.seeks import ListedSeek, NewSeek, create_seek, list_entries, searched_game, usual_numbers
from games.terms import USUAL

_FILLS: Final = ("PT5M", "PT30M", "PT2H", "PT8H", "P1D", "P3D")
_WISHES: Final = (
    ("", pgettext_lazy("an expansion of a game", "with or without")),
    ("yes", pgettext_lazy("an expansion of a game", "with it")),
    ("no", pgettext_lazy("an expansion of a game", "without it")),
)
_PREFIX: Final = "option-"
_TILE_SPEEDS: Final = ("live", USUAL)
"""The speeds of searches that start with one button."""


class SeekForm(forms.Form):
    """The numbers of players, a speed, expansions, and whether bots may take free seats."""

    least = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Fewest players"), coerce=int, widget=PlainSelect
    )
    most = forms.TypedChoiceField(
        label=pgettext_lazy("label of a field", "Most players"), coerce=int, widget=PlainSelect
    )
    speed = forms.ChoiceField(
        label=gettext_lazy("How fast?"), choices=list_speeds, initial=USUAL, widget=forms.RadioSelect
    )
    fill_after = forms.ChoiceField(
        label=gettext_lazy("Bots in the free seats"),
        help_text=gettext_lazy("Games without bots count for your rating against people."),
        choices=lambda: [("", pgettext("bots on free seats", "never")), *_fills()],
        required=False,
        widget=PlainSelect,
    )

    shows_name = forms.BooleanField(label=gettext_lazy("Show my name to the players I follow"), required=False)

    def __init__(self, rules: AnyRules, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.rules = rules
        fields: dict[str, Any] = self.fields
        numbers = [(player, number(player)) for player in rules.players]
        fields["least"].choices = fields["most"].choices = numbers
        fields["least"].initial, fields["most"].initial = usual_numbers(rules)
        for name, label in rules.words.options.items():
            if name in rules.figures and isinstance(getattr(rules.options(), name, None), bool):
                fields[f"{_PREFIX}{name}"] = forms.ChoiceField(
                    label=render_phrase(label, {}), choices=_WISHES, initial="", required=False, widget=PlainSelect
                )

    def numbers(self) -> list[BoundField]:
        """Return the fields for the numbers of players."""
        return [self["least"], self["most"]]

    def expansions(self) -> list[BoundField]:
        """Return the fields for the expansions."""
        return [self[name] for name in self.fields if name.startswith(_PREFIX)]

    def new_seek(self) -> NewSeek:
        """Return the new seek of a valid form."""
        cleaned = self.cleaned_data
        fill = cleaned["fill_after"]
        return NewSeek(
            rules=self.rules.name,
            least=cleaned["least"],
            most=cleaned["most"],
            speed=cleaned["speed"],
            options={
                name.removeprefix(_PREFIX): value == "yes"
                for name, value in cleaned.items()
                if name.startswith(_PREFIX) and value
            },
            fill_after=PERIODS[fill] if fill else None,
            shows_name=cleaned["shows_name"],
        )

    def refuse(self, refusal: Refusal, sentence: str) -> None:
        """Add a refusal to its field, or to the whole form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, sentence)


def _fills() -> Iterator[tuple[str, str]]:
    """Yield the times after which bots may take free seats."""
    after = pgettext("bots on free seats", "after %(time)s")
    for name in _FILLS:
        yield name, after % {"time": period(PERIODS[name])}


def list_searches(reader: Account | None) -> list[dict[str, Any]]:
    """Return the open lobby for its template, with the reader's own seeks."""
    rows = [] if reader is None else seeks.list_seeks(reader).filter(state=Seek.State.OPEN)
    own_searches = {searched_game(seek).id: seek for seek in rows if not seek.is_standing}
    return [
        {
            "entry": entry,
            "search": ListedSeek(entry.game),
            "own": own_searches.get(entry.game.id),
            "names": [isolated(name) for name in entry.names],
        }
        for entry in list_entries(reader)
    ]


@require_safe
@compressed_for_visitors
def seek_list(request: HttpRequest) -> HttpResponse:
    """Show the open lobby, the reader's own seeks, and the rules for which players can be found."""
    reader = account_of(request)
    rows = [] if reader is None else seeks.list_seeks(reader).filter(state=Seek.State.OPEN)
    entries = list_searches(reader)
    return render(
        request,
        "games/seeks.html",
        {
            "place": "games",
            "entries": entries,
            "standing": [ListedSeek(seek) for seek in rows if seek.is_standing],
            "over": [] if reader is None else seeks.ended_seeks(reader),
            "started": None if reader is None else seeks.just_started(reader, clock.now()),
            "waits": any(entry["own"] for entry in entries),
            "games": [(card, _tiles(RULES[card.rules])) for card in list_rules()],
            "key": new_key(),
        },
    )


def _tiles(rules: AnyRules) -> list[ListedSeek]:
    """Return the most usual searches."""
    numbers = sorted({(min(rules.players), min(rules.players)), usual_numbers(rules)})
    return [
        ListedSeek(Seek(rules=rules.name, least=least, most=most, speed=speed))
        for least, most in numbers
        for speed in _TILE_SPEEDS
    ]


@require_safe
@login_required
def waiting_room(request: AccountHttpRequest, seek: UUID) -> HttpResponseBase:
    """Show the open lobby while a seek is open, and redirect to its game once it has started."""
    try:
        row = seeks.get_seek(request.user, seek)
    except Refusal:
        raise Http404 from None
    if row.game_id is not None:
        return redirect("pages:game", row.game_id)
    return seek_list(request) if row.state == Seek.State.OPEN else redirect("pages:seeks")


@require_POST
@login_required
def join_search(request: AccountHttpRequest, entry: str) -> HttpResponse:
    """Search for the same game as others."""
    try:
        seek = seeks.join_search(request.user, entry, clock.now())
    except Refusal as refusal:
        ended = _("This search has ended. Start your own, and others will see it here.")
        messages.error(request, ended if refusal.code == "not-found" else refusal_text(refusal))
        return redirect("pages:seeks")
    return redirect("pages:seek", seek.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_seek_page(request: AccountHttpRequest, name: str) -> HttpResponse:
    """Show and handle the form for a new seek. Errors are shown beside their fields, and no input is lost."""
    rules = RULES.get(name)
    if rules is None:
        raise Http404
    bound_form = SeekForm(rules, request.POST if request.method == "POST" else None)
    if bound_form.is_valid():
        try:
            return _create_and_redirect(request, bound_form)
        except Refusal as refusal:
            bound_form.refuse(refusal, refusal_text(refusal))
    return render(
        request,
        "games/new_seek.html",
        {"place": "games", "form": bound_form, "title": render_phrase(rules.words.title, {}), "key": new_key()},
        status=422 if bound_form.errors else 200,
    )


def _create_and_redirect(request: AccountHttpRequest, bound_form: SeekForm) -> HttpResponse:
    """Create a seek once for each key of the form, and redirect to the list. Raises Refusal."""
    now = clock.now()

    def effect() -> Effect:
        return Effect(reverse("pages:seek", args=[create_seek(request.user, bound_form.new_seek(), now).pk]))

    return redirect(once_only(request, effect, now))


@require_POST
@login_required
def withdraw_seek(request: AccountHttpRequest, seek: UUID) -> HttpResponse:
    """Withdraw a seek."""
    try:
        seeks.withdraw(request.user, seek, clock.now())
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("The search has ended."))
    return redirect("pages:seeks")
