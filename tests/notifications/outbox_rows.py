"""Rendered notifications as tests send them."""

from datetime import UTC, datetime

from accounts.models import Account
from notifications import outbox
from notifications.content import Answer, Answers, Code, Footnote, Link, Listing, Prose, RenderedNotification
from notifications.models import Notification

NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)

ENGLISH = RenderedNotification(
    language="en",
    subject="Coup xk42",
    headline="It is your turn, Maryam.",
    blocks=(
        Listing("What happened", ("\u2067سپیده\u2069 takes tax <as> duke.", "Bahareh allows it.")),
        Prose(("What do you do?",)),
        Answers("Your answers", (Answer("1", "income", "Take income"), Answer("2", "steal 2", "Steal from Sepideh"))),
        Link("Create the game", "http://localhost:8000/api/v1/games/7/"),
        Footnote(("Answer over the API.",)),
    ),
)
PERSIAN = RenderedNotification(
    language="fa",
    subject="کودتا xk42",
    headline="سپیده، نوبت توست.",
    blocks=(
        Listing("چه شد", ("مریم کمک‌های خارجی گرفت.", "بهاره نوشت \u2066steal 2\u2069.")),
        Answers("پاسخ‌ها", (Answer("۱", "income", "کسب درآمد"), Answer("۲", "steal 2", "باج‌گیری از بهاره"))),
        Code("482913"),
    ),
)


def posted(
    account: Account, key: str = "question:7:1.1", rendered: RenderedNotification = ENGLISH, topic: str = "game:7"
) -> Notification:
    """A notification to ``account`` that is ready to be delivered."""
    outbox.add_rendered(
        outbox.NewNotification(key=key, reason="question", account=account.pk, topic=topic, question="1.1"),
        rendered,
        NOON,
    )
    return Notification.objects.get(key=key)
