"""News: the operator writes it in every language, and saving sends it."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Language
from config.core import clock
from games.administration.read_only import ReadOnlyAdmin
from games.text.phrases import number
from notifications.delivery import server_emails
from notifications.delivery.server_emails import LONGEST_SUBJECT, LONGEST_TEXT, AlreadySent, Words
from notifications.models import News

_WRITTEN: Final = tuple(f"{part}_{language}" for language in Language.values for part in ("subject", "text"))


class NewsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in its stubs only
    """The subject and the text in every language."""

    subject_en = forms.CharField(label=gettext_lazy("Subject in English"), max_length=LONGEST_SUBJECT)
    text_en = forms.CharField(
        label=gettext_lazy("Text in English"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"dir": "ltr"})
    )
    subject_fa = forms.CharField(label=gettext_lazy("Subject in Persian"), max_length=LONGEST_SUBJECT)
    text_fa = forms.CharField(
        label=gettext_lazy("Text in Persian"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"dir": "rtl"}),
        help_text=gettext_lazy("When you save this, it is sent to everybody who wants news."),
    )

    def words(self) -> Words:
        """Return the text of the news by language."""
        data = self.cleaned_data
        return {
            language: {part: data[f"{part}_{language}"] for part in ("subject", "text")} for language in Language.values
        }

    def clean(self) -> dict[str, Any]:
        """Refuse news that has been sent already."""
        data = super().clean() or self.cleaned_data
        if not self.errors and server_emails.is_news_sent(self.words()):
            raise ValidationError(_("News with these words has been sent already. Nobody gets it twice."))
        return data


class NewsAdmin(ReadOnlyAdmin):
    """News that was sent. An account with all rights can write more."""

    form = NewsForm
    list_display = ("written_at", "subject", "readers")
    ordering = ("-written_at",)
    fields = ("written_at", "readers", "subject", "text")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return _WRITTEN if obj is None else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def save_model(self, request: HttpRequest, obj: News, form: Any, change: bool) -> None:
        try:
            news = server_emails.send_news(form.words(), clock.now())
        except AlreadySent as sent:  # the button was pressed twice at the same time
            news = sent.news
        obj.pk = news.pk
        message = _("Emails that are on their way: %(count)s.") % {"count": number(news.readers)}
        messages.success(request, message)
