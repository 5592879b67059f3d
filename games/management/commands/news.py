"""``manage.py news ENGLISH PERSIAN``: email news to all accounts that want it. Without ``--send`` it only shows
them.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Language
from config.core import clock
from notifications import server_emails
from notifications.server_emails import AlreadySent, Words


class Command(BaseCommand):
    """Read the news from a file for each language: the subject in the first line, then paragraphs."""

    help = "Email news to everyone who wants it. Each file has the subject in its first line, then the text."

    def add_arguments(self, parser: ArgumentParser) -> None:
        for language in Language:
            parser.add_argument(
                language.name.lower(), type=Path, help=f"the file with the {language.name.title()} text"
            )
        parser.add_argument("--send", action="store_true", help="send it, instead of showing what would be sent")

    def handle(self, *args: Any, send: bool, **options: Any) -> None:
        words = {language.value: _read_news(options[language.name.lower()]) for language in Language}
        if not send:
            self._show(words)
            return
        try:
            news = server_emails.send_news(words, clock.now())
        except AlreadySent:
            raise CommandError("News with these words has been sent already. Nobody gets it twice.") from None
        self.stdout.write(f"{news.readers} emails are on their way, {server_emails.A_MINUTE} a minute.")

    def _show(self, words: Words) -> None:
        for text in words.values():
            self.stdout.write(f"{text['subject']}\n\n{text['text']}\n\n")
        count = server_emails.news_readers().count()
        self.stdout.write(f"{count} people want news. Nothing is sent without --send.")


def _read_news(file: Path) -> dict[str, str]:
    """Return the subject and the text of a file. Raises CommandError if the file, the subject or
    the text is missing.
    """
    try:
        subject, _newline, text = file.read_text("utf-8").strip().partition("\n")
    except (OSError, UnicodeDecodeError):
        raise CommandError(f"{file} can’t be read as UTF-8 text.") from None
    if wrong := server_emails.find_news_error(subject.strip(), text.strip()):
        raise CommandError(f"{file}: {wrong}")
    return {"subject": subject.strip(), "text": text.strip()}
