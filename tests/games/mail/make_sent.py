"""Our own mails, as the mails of the corpus quote them: ``python -m tests.games.mail.make_sent`` writes them again.

They go through the real templates and phrases, and are kept as files so that the corpus does not change with every word
of a template.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.utils.translation import override  # noqa: E402

from games.engine import show_all  # noqa: E402
from games.text.phrases import number, render_phrase  # noqa: E402
from notifications.content.rendered_notification import (  # noqa: E402
    Answer,
    Answers,
    Footnote,
    Listing,
    Prose,
    RenderedNotification,
    encode,
)
from notifications.email.message import message  # noqa: E402
from notifications.models import Notification  # noqa: E402
from tests.games.mail.tables import ASKED, NAMES, QuestionCase  # noqa: E402

SENT: Final = Path(__file__).parent / "sent"
WORDS: Final = {
    "en": {
        "marker": "Please write your answer above this line",
        "move": "Maryam, it is your move in %s, table XK42.",
        "due": "Please answer by Tuesday 24 March 2026, 12:00 (Europe/Berlin). If you do not, the clock will answer.",
        "story": "Since your last answer",
        "table": "The table",
        "how": "To answer, reply to this email: write the number or the text of one answer in the first line.",
        "also": "You may also write ? to be asked again, chat and what you want to say, or resign to give up.",
        "invitation": "Sepideh invites you to a game of Coup, table XK42.",
        "join": "Reply join to sit down, no to decline, never to get no more mails from us.",
    },
    "fa": {
        "marker": "پاسخ خود را بالای این خط بنویسید",
        "move": "مریم، در %s، میز \u2066XK42\u2069، نوبت توست.",
        "due": "لطفاً تا سه‌شنبه ۴ فروردین ۱۴۰۵، ساعت ۱۴:۳۰ پاسخ بده، وگرنه ساعت به جای تو بازی می‌کند.",
        "story": "از آخرین پاسخ تو",
        "table": "میز",
        "how": "برای پاسخ دادن، به همین نامه جواب بده و در خط اول شماره یا متن یکی از پاسخ‌ها را بنویس.",
        "also": "می‌توانی ؟ بنویسی تا دوباره بپرسیم، گفتگو و سخنت را، یا انصراف برای کناره‌گیری.",
        "invitation": "سپیده تو را به یک بازی کودتا، میز \u2066XK42\u2069، دعوت کرده است.",
        "join": "پیوستن بنویس تا بنشینی، نه تا نپذیری، هرگز تا دیگر نامه‌ای از ما نیاید.",
    },
}


def rendered_notifications() -> Iterator[tuple[str, RenderedNotification]]:
    """Every mail that the corpus answers."""
    for language, words in WORDS.items():
        with override(language):
            for name, case in ASKED.items():
                yield f"{name}-{language}", _render_question(case, language, words)
            blocks = (Prose((words["join"],)), Footnote((words["how"],)))
            yield (
                f"invitation-{language}",
                RenderedNotification(language, "Coup XK42", words["invitation"], blocks, words["marker"]),
            )


def _render_question(case: QuestionCase, language: str, words: dict[str, str]) -> RenderedNotification:
    rules, seat = case.rules, case.question.seat
    view = rules.view(case.state, seat)
    phrases = (phrase for _, phrase in rules.words.story(show_all(rules, case.log, seat), seat))
    moves = enumerate(rules.legal_moves(case.state, case.question), start=1)
    answers = (
        Answer(number(at), rules.text(move), render_phrase(rules.words.label(move), NAMES)) for at, move in moves
    )
    title = render_phrase(rules.words.title, NAMES)
    return RenderedNotification(
        language=language,
        subject=f"{title} XK42",
        headline=words["move"] % title,
        blocks=(
            Prose((words["due"],)),
            Listing(words["story"], tuple(render_phrase(phrase, NAMES) for phrase in phrases)),
            Listing(words["table"], tuple(render_phrase(line, NAMES) for line in rules.words.table(view))),
            Answers(render_phrase(rules.words.asks(view, case.question), NAMES), tuple(answers)),
            Footnote((words["how"], words["also"])),
        ),
        marker=words["marker"],
    )


def main() -> None:
    """Write the mails."""
    SENT.mkdir(exist_ok=True)
    for name, rendered in rendered_notifications():
        mail = message(Notification(rendered=encode(rendered), address="maryam@example.org"))
        [(html, _)] = mail.alternatives
        (SENT / f"{name}.txt").write_text(str(mail.body), encoding="utf-8")
        (SENT / f"{name}.html").write_text(str(html), encoding="utf-8")


if __name__ == "__main__":
    main()
