"""Labels of the levels of bots."""

from typing import Final

from django.utils.translation import pgettext_lazy

LEVEL_LABELS: Final = {
    "easy": pgettext_lazy("level of a bot", "Easy"),
    "normal": pgettext_lazy("level of a bot", "Normal"),
    "strong": pgettext_lazy("level of a bot", "Strong"),
    "master": pgettext_lazy("level of a bot", "Master"),
}
