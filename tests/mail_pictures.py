"""The emails as pictures, to be looked at: ``python -m tests.mail_pictures FOLDER``.

An email of every kind that there is, the pages that emails link to, and the pages of errors, in both languages, both
themes and two widths; the emails as text too. It plays games in a database of its own and needs Chromium.
"""

import argparse
import shutil
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import_module("tests.conftest")  # before anything of Django's

from django.conf import settings  # noqa: E402
from django.core.exceptions import BadRequest, PermissionDenied  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client, RequestFactory  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from django.utils.translation import override  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from config.server import problems  # noqa: E402
from config.server.postgres import Server  # noqa: E402
from games import links  # noqa: E402
from games.models import Invitation, Move, OpenQuestion  # noqa: E402
from notifications.email.message import message, stop_link  # noqa: E402
from notifications.models import Notification  # noqa: E402
from tests.browser import NAMES  # noqa: E402
from tests.every_notification import Scene  # noqa: E402

WIDTHS: Final = {"narrow": 360, "wide": 800}
THEMES: Final = ("light", "dark")
_STYLES: Final = Path(__file__).parent.parent / "config/static/darbar/darbar.css"


def mails() -> Iterator[tuple[str, str, str]]:
    """The name, text and HTML of an email of each kind, in both languages, numbered within its kind."""
    numbers: Counter[str] = Counter()
    for notification in Scene().write_everything():
        kind = "digest" if notification.gathered.exists() else notification.reason
        language = notification.content().language
        numbers[f"{kind}-{language}"] += 1
        name = f"{kind}-{numbers[f'{kind}-{language}']:02}-{language}"
        yield name, str(message(notification).body), html_of(notification)


def html_of(notification: Notification) -> str:
    """An email as HTML, with its pictures in it."""
    text = str(message(notification).alternatives[0].content)
    for picture in notification.content().pictures:
        text = text.replace(f"cid:{picture.name}", f"data:image/png;base64,{b64encode(picture.png).decode()}")
    return text


def pages() -> Iterator[tuple[str, str]]:
    """The name and HTML of each page that mails link to, in both languages."""
    browser = Client(headers={"host": "localhost"})
    for row in OpenQuestion.objects.filter(bot=False).order_by("-asked_at")[:6]:
        account = row.game.seats.get(number=row.seat).account
        for number in (0, 1):
            link = links.question_page(row.game_id, row.question, account.pk, number)
            yield f"answer{number}-{account.language}", browser.get(link).content.decode()
    for move in Move.objects.filter(state=Move.State.APPLIED).exclude(question=""):
        if account := move.game.seats.get(number=move.seat).account:
            closed = links.question_page(move.game_id, move.question, account.pk)
            yield f"closed-{account.language}", browser.get(closed).content.decode()
    for invitation in Invitation.objects.all():
        kind = f"{invitation.state}-{invitation.language}"
        response = browser.get(links.invitation_page(invitation.pk))
        yield f"invitation-{kind}", response.content.decode()
        yield f"stop-{kind}", browser.get(links.invitation_stop_page(invitation.pk)).content.decode()
    for notification in Notification.objects.filter(topic__startswith="game:"):
        yield f"stop-{notification.account.language}", browser.get(stop_link(notification)).content.decode()


def errors() -> Iterator[tuple[str, str]]:
    """The name and HTML of each page that says that something went wrong, in both languages."""
    request = RequestFactory().get("/nothing/", headers={"host": "localhost"})
    for language in ("en", "fa"):
        with override(language):
            responses = {
                "400": problems.bad_request(request, BadRequest()),
                "403": problems.permission_denied(request, PermissionDenied()),
                "403-form": problems.form_expired(request),
                "404": problems.page_not_found(request, Exception()),
                "429": problems.too_many_requests_page(request, 30),
                "500": problems.server_error(request),
            }
        for name, response in responses.items():
            yield f"error-{name}-{language}", response.content.decode()


def draw(browser: Browser, pages_by_name: dict[str, str], folder: Path) -> int:
    """Take a picture of each HTML body in every theme and width. Return the number of pictures."""
    for theme in THEMES:
        for width, pixels in WIDTHS.items():
            page = browser.new_page(color_scheme=theme, viewport={"width": pixels, "height": 800})
            for name, html in pages_by_name.items():
                page.set_content(html, wait_until="domcontentloaded")
                page.screenshot(path=folder / f"{name}-{theme}-{width}.png", full_page=True)
            page.close()
    return len(pages_by_name) * len(THEMES) * len(WIDTHS)


def main(folder: Path) -> None:
    """Draw everything there is."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    folder.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, str] = {}
    with Server(settings.EMBEDDED_DATABASE), override_settings(ALLOWED_HOSTS=["*"]):
        call_command("migrate", verbosity=0)
        for name, subject, page in mails():
            pictures.setdefault(name, page)
            (folder / f"{name}.txt").write_text(subject)
        styles = f"<style>{_STYLES.read_text()}</style>"
        for name, page in (*pages(), *errors()):
            pictures.setdefault(name, page.replace("</head>", f"{styles}</head>"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        count = draw(browser, pictures, folder)
        browser.close()
    sys.stdout.write(f"{count} pictures are in {folder}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mail_pictures", description="Draw every email.")
    parser.add_argument("folder", type=Path, help="the folder that the pictures are written to")
    main(parser.parse_args().folder)
