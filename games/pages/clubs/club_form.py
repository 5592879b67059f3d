"""The form for the name of a club, and the link by which other accounts join it."""

from django import forms
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.models import LONGEST_ABOUT, LONGEST_NAME, Club
from games.pages.shared.views import refusal_text
from games.refusals import Refusal


class ClubForm(forms.Form):
    """The name and description of a club."""

    name = forms.CharField(
        label=pgettext_lazy("label of a field", "Name of the club"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    about = forms.CharField(
        label=gettext_lazy("A line about it (optional)"),
        max_length=LONGEST_ABOUT,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )

    def refuse(self, refusal: Refusal) -> None:
        """Add an error to its field, or to the whole form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, refusal_text(refusal))


def link_of(club: Club) -> str:
    """Return the link by which other accounts join a club."""
    return f"{settings.PUBLIC_URL}{reverse('pages:join-club', args=[club.code])}"
