"""The button that switches to the other language."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from accounts.authentication import flows
from accounts.models import Account, Language


@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Store the language in the account and in the browser, and return to the page."""
    language = request.POST.get("language", "")
    if isinstance(request.user, Account) and language in Language.values:
        flows.update_account(request.user, {"language": language})
    return set_language(request)
