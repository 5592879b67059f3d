"""The forms on the page of a tournament, for its players and for those who run it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.models import Tournament
from games.pages.tournaments.tournament_action import PAGE, ask, tournament_action
from games.pages.tournaments.tournament_form import ChangesForm
from games.refusals import Refusal
from games.tournaments import entering, organizing
from games.tournaments.rights import may_run


@tournament_action("POST")
def enter_tournament(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter the tournament."""
    entering.enter(request.user, tournament.pk, clock.now())
    messages.success(request, _("You take part. We tell you when a round begins."))
    return redirect(PAGE, tournament.pk)


@tournament_action("POST")
def change_entry(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the rounds that the reader sits out, and whether they get notifications about rounds."""
    numbers = request.POST.getlist("sits_out")[: entering.MOST_NAMED]
    rounds = [int(number) for number in numbers if number.isdecimal() and len(number) < 4]
    entering.change_entry(request.user, tournament.pk, rounds, hears=bool(request.POST.get("hears")))
    messages.success(request, pgettext("message", "Saved."))
    return redirect(PAGE, tournament.pk)


@tournament_action("GET", "HEAD", "POST")
def withdraw_entry(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Leave the tournament, after a confirmation."""
    if request.method != "POST":
        return ask(
            request,
            tournament,
            title=_("Leave the tournament?"),
            sentence=_consequences_of_leaving(tournament),
            button=_("Leave the tournament"),
        )
    entering.withdraw(request.user, tournament.pk, clock.now())
    messages.success(request, _("You have left the tournament."))
    return redirect(PAGE, tournament.pk)


def _consequences_of_leaving(tournament: Tournament) -> str:
    is_open, season = tournament.state == Tournament.State.OPEN, tournament.season or 0
    if season > 1 and is_open:
        return _("If you skip this season, you begin again in the lowest division.")
    if season and not is_open:
        return _("You get no more games in this season, and begin again in the lowest division of the next.")
    return _("You get no more games in it. The games that you play go on.")


@tournament_action("POST")
def begin_tournament(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Start the tournament before the published time."""
    organizing.begin(request.user, tournament.pk, clock.now())
    messages.success(request, _("The tournament begins. The first round is drawn in a moment."))
    return redirect(PAGE, tournament.pk)


@tournament_action("GET", "HEAD", "POST")
def cancel_tournament(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Cancel the tournament, after a confirmation."""
    if request.method != "POST":
        if not may_run(request.user, tournament):
            return redirect(PAGE, tournament.pk)
        return ask(
            request,
            tournament,
            title=_("Cancel the tournament?"),
            sentence=_("There are no more rounds and no final standings. Games that have begun go on.")
            if tournament.season is None
            else _("The league ends with this season, without final standings. Games that have begun go on."),
            button=_("Cancel the tournament"),
        )
    organizing.cancel(request.user, tournament.pk, clock.now())
    messages.success(request, _("The tournament is cancelled."))
    return redirect(PAGE, tournament.pk)


@tournament_action("GET", "HEAD", "POST")
def edit_tournament(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the name, the description and, before the start, the date."""
    if not may_run(request.user, tournament):
        return redirect(PAGE, tournament.pk)
    form = ChangesForm(tournament, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            organizing.change(request.user, tournament.pk, clock.now(), **form.changes())
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, pgettext("message", "Saved."))
            return redirect(PAGE, tournament.pk)
    context = {"place": "games", "tournament": tournament, "form": form}
    return render(request, "games/tournaments/edit.html", context, status=422 if form.errors else 200)
