"""The page behind the link of an invitation: a description, and a button for each answer.

The link is the only authorization, and is valid for this invitation only. Opening it changes nothing.
"""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from accounts import email_addresses
from config.core import clock
from games import links
from games.announcements.invitation_emails import (
    InvitationText,
    consequence_of_never,
    has_account,
    is_answerable,
    is_before_deal,
)
from games.engine import Phrase, gettext_noop
from games.models import Invitation, Move
from games.pages.posted_forms import posted_text, refusal_text
from games.pages.secret_pages import render_secret_page
from games.phrases import isolated
from games.refusals import Refusal
from games.tables import invitations
from games.visibility.player_view import rules_in_short
from games.visibility.words import deal_protection, deck_fingerprint
from notifications import deliverability

_TEMPLATE = "games/invitation.html"


@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the invitation with its buttons, or handle an answer."""
    now = clock.now()
    refused = ""
    invitation = _invitation(token)
    if request.method == "POST":
        typed = (posted_text(request, "name", 80), posted_text(request, "words", 200))
        refused = _answer(invitation, request.POST.get("answer", ""), *typed, now)
        if not refused:
            return HttpResponseRedirect(reverse("pages:invitation", args=[token]), status=303)
        invitation = _invitation(token)
    with override(_language(invitation)):
        context = {"refused": refused, "path": reverse("pages:invitation", args=[token]), **_page_context(invitation)}
        return render_secret_page(request, _TEMPLATE, _language(invitation), context)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_invitations(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page to stop emails, or handle its button or the POST of an email program (RFC 8058)."""
    invitation = _invitation(token)
    if request.method == "POST":
        _answer(invitation, "never", "", "", clock.now())
        invitation = _invitation(token)
    with override(_language(invitation)):
        silent = deliverability.is_suppressed_digest(bytes(invitation.mailbox))
        context = {
            "title": InvitationText(invitation).subject,
            "headline": _stopped_text(invitation) if silent else _stop_question(invitation),
            "lines": (),
            "buttons": () if silent else (("never", consequence_of_never(invitation)),),
            "path": reverse("pages:invitation-stop", args=[token]),
        }
        return render_secret_page(request, _TEMPLATE, _language(invitation), context)


def _invitation(token: str) -> Invitation:
    """Return the invitation of a link. Otherwise raise Http404."""
    match links.parse(token):
        case links.InvitationPage(number):
            rows = Invitation.objects.select_related("game", "inviter", "account").filter(pk=number)
            if (invitation := rows.first()) is not None:
                return invitation
    raise Http404


def _language(invitation: Invitation) -> str:
    return invitation.account.language if invitation.account else invitation.language


def _answer(invitation: Invitation, answer: str, name: str, words: str, now: datetime) -> str:
    """Carry out the action of a button. Return a sentence if it is not possible."""
    try:
        with override(_language(invitation)), transaction.atomic():
            _apply_answer(answer, name, words, invitation, now)
    except Refusal as refusal:
        with override(_language(invitation)):
            return refusal_text(refusal)
    return ""


def _apply_answer(answer: str, name: str, words: str, invitation: Invitation, now: datetime) -> None:
    locked = invitations.lock_invitation(invitation.pk)
    if locked is None:
        raise Http404
    match answer:
        case "join":
            invitations.join(locked, _check_name(name, locked, now), Move.Via.PAGE, now, words=words)
        case "no":
            invitations.decline(locked, now)
        case "never":
            invitations.suppress_address(locked, now)
        case _:
            raise Refusal("malformed", Phrase(gettext_noop("Please choose one of the answers.")))


def _check_name(name: str, invitation: Invitation, now: datetime) -> str:
    """Return the name that a new player chose. Raises Refusal(malformed) for a forbidden name."""
    if name and email_addresses.owner_of(invitation.address) is None:
        try:
            email_addresses.check_name(name, invitation.address)
        except ValidationError as error:
            raise Refusal("malformed", Phrase("%(why)s", {"why": " ".join(error.messages)})) from None
    return name


def _page_context(invitation: Invitation) -> dict[str, Any]:
    texts = InvitationText(invitation)
    if not is_answerable(invitation) or not invitation.address:
        return {"title": texts.subject, "headline": _outcome(invitation), "lines": (), "buttons": ()}
    headline = _("%(inviter)s invites you to play %(game)s, game %(code)s.") % texts.called
    declined = invitation.state == Invitation.State.DECLINED
    buttons = [("join", _("Join the game")), ("no", _("Not this time")), ("never", consequence_of_never(invitation))]
    new = email_addresses.owner_of(invitation.address) is None
    return {
        "title": texts.subject,
        "headline": headline,
        "lines": (
            *((_("You’ve declined. You can still change your mind."),) if declined else ()),
            *texts.note(),
            *texts.facts(),
        ),
        "name": email_addresses.free_name("", invitation.address, invitation.language) if new else "",
        "label": _("Your name in the game:"),
        "buttons": [button for button in buttons if not (declined and button[0] == "no")],
        "is_before_deal": is_before_deal(invitation),
        "proof": (deck_fingerprint(invitation.game), deal_protection(invitation.game)),
        "listing": rules_in_short(invitation.game),
    }


def _outcome(invitation: Invitation) -> str:
    """Return a sentence about an invitation that cannot be accepted any longer."""
    if invitation.state == Invitation.State.JOINED and invitation.account is not None:
        sentence = _("You’ve joined the game as %(name)s. We’ll send you questions by email.")
        return sentence % {"name": isolated(invitation.account.name)}
    if deliverability.is_suppressed_digest(bytes(invitation.mailbox)):
        return _stopped_text(invitation)
    if invitation.state == Invitation.State.WITHDRAWN:
        return _("This invitation has been withdrawn.")
    return _("This game is no longer open.")


def _stop_question(invitation: Invitation) -> str:
    if has_account(invitation):
        return _("Stop all invitations from Darbar to this address?")
    return _("Stop all emails from Darbar to this address, for good?")


def _stopped_text(invitation: Invitation) -> str:
    """Return the confirmation after ``never``.

    The address is deleted by then, so the text depends only on whether the recipient has joined.
    """
    if invitation.account is not None:
        return _("We won’t send more invitations to this address. We still email you about your own games.")
    ended = _("Darbar won’t email this address again. To change that, sign up with it.")
    still = _("If it already has an account, we still email it about its games.")
    return f"{ended} {still}"
