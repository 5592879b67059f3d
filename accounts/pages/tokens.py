"""The page of an account's sessions, tokens and apps."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST

from accounts import rate_limits, security_log, tokens
from accounts.authentication import flows, sessions
from accounts.authentication.sessions import redirect_to_reauthentication
from accounts.models import Account, Token
from accounts.pages import forms
from accounts.pages.authentication import add_too_many_attempts, page
from accounts.web.requests import AccountHttpRequest


@never_cache
@sensitive_post_parameters("password")
@sensitive_variables("text")
@login_required
@page
def sessions_and_tokens(request: AccountHttpRequest) -> HttpResponse:
    """List sessions, tokens and apps, and create a token. A new token is shown only in the answer to its form."""
    account, is_post, may_change = (
        request.user,
        request.method == "POST",
        sessions.may_ask_for_password(request),
    )
    if is_post and not may_change:
        return redirect_to_reauthentication(request.path)
    form = forms.NewTokenForm(request.POST if is_post else None)
    token: Token | None = None
    text, status = "", 200
    if form.is_valid():
        try:
            flows.check_password(request, account, form.cleaned_data["password"])
        except rate_limits.TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        except flows.WrongPassword:
            form.add_error("password", _("This isn’t your password."))
        else:
            token, text = tokens.issue(account, *form.token_options())
            security_log.record("token-created", request, account, token=token.public_id)
            form = forms.NewTokenForm()
    context = {
        "form": form,
        "made": token,
        "text": text,
        "proved": may_change,
        **_context(request, account, timezone.now()),
    }
    context["has_arena"] = settings.ARENA_GAMES_PER_HOUR > 0
    status = 422 if form.errors and status == 200 else status
    return render(request, "accounts/settings/tokens.html", context, status=status)


@login_required
@require_POST
def end_session(request: AccountHttpRequest, session: int) -> HttpResponse:
    """Log out another browser."""
    if not sessions.end(request.user, session, timezone.now()):
        raise Http404
    security_log.record("session-ended", request, request.user)
    messages.success(request, _("That browser is logged out."))
    return redirect("settings-tokens")


@login_required
@require_POST
def sign_out_everywhere(request: AccountHttpRequest) -> HttpResponse:
    """Log out every other browser, and end tokens and apps if requested."""
    form = forms.SignOutForm(request.POST)
    form.is_valid()
    account = request.user
    sessions.end_others(account, request)
    if form.cleaned_data["tokens"]:
        Token.objects.filter(user=account).delete()
    if form.cleaned_data["apps"]:
        tokens.revoke_apps(account)
    security_log.record("signed-out-everywhere", request, account)
    messages.success(request, _("You’re logged out everywhere else."))
    return redirect("settings-tokens")


@login_required
@require_POST
def revoke_token(request: AccountHttpRequest, public_id: UUID) -> HttpResponse:
    deleted, _by_model = Token.objects.filter(user=request.user, public_id=public_id).delete()
    if not deleted:
        raise Http404
    security_log.record("token-revoked", request, request.user, token=public_id)
    messages.success(request, _("Token revoked."))
    return redirect("settings-tokens")


@login_required
@require_POST
def revoke_app(request: AccountHttpRequest, client_id: str) -> HttpResponse:
    """Revoke the access of an app."""
    if not tokens.revoke_app(request.user.pk, client_id):
        raise Http404
    messages.success(request, _("App disconnected."))
    return redirect("settings-tokens")


def _context(request: HttpRequest, account: Account, now: datetime) -> dict[str, Any]:
    session_rows = [
        {
            "pk": session.pk,
            "device": sessions.describe_device(session.user_agent),
            "here": session.session_key == request.session.session_key,
            "ip": session.ip,
            "created_at": session.created_at,
            "last_seen_at": session.last_seen_at,
        }
        for session in sessions.sessions_of(account, now)
    ]
    return {
        "place": "settings",
        "part": "tokens",
        "sessions": session_rows,
        "everywhere": forms.SignOutForm(auto_id="everywhere_%s"),
        "tokens": Token.objects.filter(user=account).order_by("-created"),
        "grants": tokens.grants_of(account, now),
    }
