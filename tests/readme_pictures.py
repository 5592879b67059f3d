"""The pictures of the README: ``python -m tests.readme_pictures`` writes docs/english.png and docs/persian.png.

An email that asks for a reaction, beside the page of the same game. They are made of a game in a database of their own
and need Chromium. Look at them before you commit them.
"""

import shutil
import sys
from datetime import timedelta
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Final

import_module("tests.conftest")  # before anything of Django's

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from accounts.models import Account  # noqa: E402
from games.announcements import notify  # noqa: E402
from games.models import Game, Move, OpenQuestion  # noqa: E402
from games.play.resolve import resolve  # noqa: E402
from games.play.submit import WrittenMove, store_move  # noqa: E402
from notifications.models import Notification  # noqa: E402
from tests.browser import NAMES  # noqa: E402
from tests.mail_pictures import html_of  # noqa: E402
from tests.page_list import asks, opened, people, played  # noqa: E402
from tests.page_pictures import served  # noqa: E402

FOLDER: Final = Path(__file__).parent.parent / "docs"
PICTURES: Final = {"en": "english", "fa": "persian"}
FRIENDS: Final = {"en": ("bahareh", "newcomer-en"), "fa": ("kaveh", "newcomer-fa")}
SIZE: Final = (390, 760)
GAP: Final = 24
BETWEEN: Final = "#e1d8cd"
COLOURS: Final = 128


def claimed(me: Account, *friends: Account) -> Game:
    """A game in which a friend has claimed a duke, and the reader is asked whether they believe it."""
    game = played(opened(me, *friends, rules="coup", seat_count=3), 4)
    while not asks(game, friends[0]):
        played(game, 1)
    now = timezone.now()
    store_move(game, friends[0], WrittenMove(game.open_questions.get().question, "tax"), Move.Via.PAGE, now)
    resolve(game.pk, now)
    while not asks(game, me):
        row = OpenQuestion.objects.filter(game=game, bot=False).first()
        assert row is not None, "the others allowed it before the reader was asked: try again"
        played(game, 1)
    return game


def email_html(me: Account) -> str:
    """The email that asks, as HTML."""
    notify.write_due(timezone.now() + timedelta(minutes=3))
    asking = Notification.objects.filter(account=me, reason="question").order_by("-created_at").first()
    assert asking is not None
    return html_of(asking)


def screenshot(browser: Browser, language: str, html: str = "", address: str = "", session: str = "") -> Image.Image:
    """A page or an email on a phone."""
    width, height = SIZE
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=language, java_script_enabled=False
    )
    if session:
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}])
    page = context.new_page()
    if address:
        page.goto(address)
    else:
        page.set_content(html, wait_until="domcontentloaded")
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return picture


def main() -> None:
    """Write both pictures."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    with served() as home:
        accounts = people()
        for language, name in PICTURES.items():
            me = accounts[language]
            game = claimed(me, *(accounts[friend] for friend in FRIENDS[language]))
            html, client = email_html(me), Client()
            client.force_login(me)
            address = f"{home}/games/{game.pk}/"
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                email = screenshot(browser, language, html)
                page = screenshot(
                    browser, language, address=address, session=client.cookies[settings.SESSION_COOKIE_NAME].value
                )
                browser.close()
            width, height = SIZE
            both = Image.new("RGB", (2 * width + GAP, height), BETWEEN)
            for place, picture in enumerate((email, page) if language == "en" else (page, email)):
                both.paste(picture, (place * (width + GAP), 0))
            both.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
