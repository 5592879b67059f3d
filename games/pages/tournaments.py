"""The pages of tournaments: the list, one tournament, a new one, and the forms for players and organizers."""

from collections.abc import Callable
from functools import wraps
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.idempotency import Effect
from accounts.models import Account
from accounts.web.pagination import KeysetPagination
from accounts.web.requests import AccountHttpRequest, account_of
from config.core import clock
from games.clubs import Right, is_member, list_clubs, may
from games.models import Membership, Pairing, Tournament, TournamentEntry
from games.pages.posted_forms import new_key, once_only, refusal_text
from games.pages.titles import list_rules
from games.pages.tournament_form import FORMATS, ChangesForm, TournamentForm, next_rounds
from games.phrases import render_phrase
from games.refusals import Refusal
from games.rules.registry import RULES
from games.terms import SPEEDS
from games.tournaments import entering, organizing, progress
from games.tournaments.core import points
from games.tournaments.entering import (
    GOING,
    MOST_NAMED,
    find_entry,
    get_tournament,
    list_tournaments,
    may_run,
    tournaments_with_progress,
)
from games.tournaments.new_tournament import create_tournament

PAGE = "pages:tournament"
View = Callable[..., HttpResponse]


def seen_tournament(account: Account | None, tournament: UUID) -> Tournament:
    """Return a tournament that the account may see. Raises Http404."""
    try:
        return get_tournament(account, tournament)
    except Refusal:
        raise Http404 from None


def tournament_action(*methods: str) -> Callable[[View], View]:
    """Return a decorator for views of actions in a tournament. Refusals are shown on its page."""

    def decorate(view: View) -> View:
        @require_http_methods([*methods])
        @login_required
        @wraps(view)
        def wrapper(request: AccountHttpRequest, tournament: UUID) -> HttpResponse:
            row = seen_tournament(request.user, tournament)
            try:
                return view(request, row)
            except Refusal as refusal:
                if refusal.code == "not-found":
                    raise Http404 from None
                messages.error(request, refusal_text(refusal))
                return redirect(PAGE, tournament)

        return wrapper

    return decorate


def ask(request: AccountHttpRequest, tournament: Tournament, **texts: Any) -> HttpResponse:
    """Render a page that asks for confirmation of an action that cannot be undone."""
    return render(request, "games/tournaments/sure.html", {"place": "games", "tournament": tournament, **texts})


@tournament_action("POST")
def enter_tournament(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter the tournament."""
    entering.enter(request.user, tournament.pk, clock.now())
    messages.success(request, _("You’re taking part. We’ll tell you when a round starts."))
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
    messages.success(request, _("You’ve left the tournament."))
    return redirect(PAGE, tournament.pk)


def _consequences_of_leaving(tournament: Tournament) -> str:
    is_open, season = tournament.state == Tournament.State.OPEN, tournament.season or 0
    if season > 1 and is_open:
        return _("If you skip this season, you’ll start again in the lowest division.")
    if season and not is_open:
        return _("You’ll get no more games this season, and you’ll start again in the lowest division of the next.")
    return _("You’ll get no more games in this tournament. The games you’re in go on.")


@tournament_action("POST")
def begin_tournament(request: AccountHttpRequest, tournament: Tournament) -> HttpResponse:
    """Start the tournament before the published time."""
    organizing.begin(request.user, tournament.pk, clock.now())
    messages.success(request, _("The tournament has started. The first round will be drawn in a moment."))
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
            sentence=_("There’ll be no more rounds and no final standings. Games that have started go on.")
            if tournament.season is None
            else _("The league ends with this season, without final standings. Games that have started go on."),
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


State = Tournament.State
_PAGE_SIZE: Final = 30
"""The maximum number of listed tournaments in each state. There are pages of finished ones."""


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show the tournaments that the reader may see, and the rules for which one can be created."""
    rows, pages = list_tournaments(account_of(request)), KeysetPagination(_PAGE_SIZE, is_lenient=True)
    running = rows.filter(state__in=(State.STARTING, State.RUNNING))
    finished = pages.paginate_queryset(rows.filter(state=State.OVER), request)
    sections = (
        (
            "open",
            pgettext("title of a page or section", "Open for entry"),
            rows.filter(state=State.OPEN)[:_PAGE_SIZE],
        ),
        ("running", pgettext("title of a page or section", "Running"), running[:_PAGE_SIZE]),
        ("over", pgettext("title of a page or section", "Finished"), finished),
    )
    groups = [(name, label, [_tournament_context(row) for row in group]) for name, label, group in sections]
    has_rows = any(group for _, _, group in groups)
    context = {"place": "games", "groups": groups, "games": list_rules(), "any": has_rows, "pages": pages}
    return render(request, "games/tournaments/tournaments.html", context)


def next_tournaments(membership: Membership) -> list[dict[str, Any]]:
    """Return the tournaments of a club that are not over, the one that starts first at the front."""
    rows = list_tournaments(membership.account, club=membership.club_id).filter(state__in=GOING)
    return [_tournament_context(row) for row in rows.order_by("starts_at", "id")[:_PAGE_SIZE]]


def _tournament_context(row: Tournament) -> dict[str, Any]:
    """Return the context of a tournament with the words of its terms."""
    rules = RULES.get(row.rules)
    options = rules.words.options if rules else {}
    return {
        "row": row,
        "title": render_phrase(rules.words.title, {}) if rules else row.rules,
        "format": FORMATS[row.format],
        "speed": _(SPEEDS[row.speed].label) if row.speed in SPEEDS else row.speed,
        "expansions": [render_phrase(options[name], {}) for name, on in row.options.items() if on and name in options],
    }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_tournament_page(request: AccountHttpRequest, name: str) -> HttpResponse:
    """Show and handle the form for a new tournament. Errors are shown beside their fields, and no input is lost."""
    rules = RULES.get(name)
    if rules is None:
        raise Http404
    clubs = [club.club for club in list_clubs(request.user) if may(club, Right.HOLD)]
    data = request.POST if request.method == "POST" else None
    bound_form = TournamentForm(rules, clubs, data, request.GET.get("club", ""))
    if bound_form.is_valid():
        try:
            return redirect(_create_tournament(request, bound_form))
        except Refusal as refusal:
            bound_form.refuse(refusal)
    title = render_phrase(rules.words.title, {})
    context = {"place": "games", "form": bound_form, "title": title, "key": new_key()}
    return render(request, "games/tournaments/new.html", context, status=422 if bound_form.errors else 200)


def _create_tournament(request: AccountHttpRequest, bound_form: TournamentForm) -> str:
    """Create the tournament once for each key of the form, and return the address of its page. Raises Refusal."""
    now = clock.now()

    def effect() -> Effect:
        row = create_tournament(request.user, bound_form.new_tournament(now), now)
        return Effect(reverse("pages:tournament", args=[row.pk]))

    return once_only(request, effect, now)


@require_safe
def tournament_detail(request: HttpRequest, tournament: UUID) -> HttpResponse:
    """Show the page of a tournament: its terms, its standings, and the actions of the reader."""
    account = account_of(request)
    seen_tournament(account, tournament)
    row = tournaments_with_progress(account).get(pk=tournament)
    entry = find_entry(account, row)
    return render(
        request,
        "games/tournaments/tournament.html",
        {
            "place": "games",
            **_tournament_context(row),
            "tournament": row,
            "club": row.club if is_member(account, row.club_id) else None,
            "mine": entry,
            "my_table": _my_table(entry),
            "rests": _rests(row, entry),
            "going": row.state in GOING,
            "may_enter": _may_enter(account, row, entry),
            "may_begin": row.state == Tournament.State.OPEN and (row.season or 1) == 1,
            "runs": may_run(account, row) and row.state in GOING,
            "divisions": _divisions(row),
            "seasons": [] if row.league is None else list_tournaments(account, league=row.league),
            "rounds": [_round(round) for round in progress.round_views(row)],
            "seed": bytes(row.seed).hex() if row.state in (State.OVER, State.CANCELLED) else "",
        },
    )


def _divisions(row: Tournament) -> list[tuple[int | None, list[progress.RankedEntry]]]:
    """Return the standings by division, or empty for a tournament without divisions."""
    places = progress.standings(row)
    return [(number, list(rows)) for number, rows in groupby(places, key=lambda placed: placed.entry.division)]


def _may_enter(account: Account | None, row: Tournament, entry: TournamentEntry | None) -> bool:
    return row.state == State.OPEN and entry is None and (account is None or not account.is_guest)


def _my_table(entry: TournamentEntry | None) -> Pairing | None:
    """Return the reader's pairing in the present round, or None."""
    if entry is None:
        return None
    return Pairing.objects.filter(entry=entry, round__ended_at=None, kind=Pairing.Kind.TABLE).first()


def _rests(row: Any, entry: TournamentEntry | None) -> list[tuple[int, bool]]:
    """Return the next rounds that the reader may sit out."""
    if entry is None or entry.withdrawn_at or row.state not in GOING or row.format == Tournament.Format.KNOCK_OUT:
        return []
    return list(next_rounds(row.round_number, row.rounds or MOST_NAMED, entry.sits_out))


def _round(round: progress.RoundView) -> dict[str, Any]:
    """Return the context of a round with the points of each table."""
    tables = []
    for table in round.tables:
        table_points = (
            points({pairing.entry.number: pairing.place or 1 for pairing in table.pairings}) if table.is_over else {}
        )
        seats = [
            {"entry": pairing.entry, "points": table_points.get(pairing.entry.number)} for pairing in table.pairings
        ]
        game = next((pairing.game_id for pairing in table.pairings if pairing.game_id), None)
        tables.append({"number": table.number, "game": game, "seats": seats, "is_over": table.is_over})
    return {"row": round.row, "tables": tables, "byes": round.byes, "rests": round.rests}
