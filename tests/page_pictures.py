"""The pages as pictures, to be looked at: ``python -m tests.page_pictures FOLDER [PART OF A NAME]``.

Every page in both languages and both themes, narrow as on a phone and wide. It plays some games in a database of
its own and needs Chromium; it is no test.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import_module("tests.conftest")  # before anything of Django's

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.testcases import LiveServerThread  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from django.utils import timezone  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from accounts.models import Account  # noqa: E402
from config.embedded.postgres import Server  # noqa: E402
from games.engine import SeatNumber  # noqa: E402
from games.lobby.create import create_game  # noqa: E402
from games.lobby.join import join_game  # noqa: E402
from games.lobby.new_game import NewGame  # noqa: E402
from games.models import Bot, Game, Move, OpenQuestion  # noqa: E402
from games.play import bots  # noqa: E402
from games.play.resolve import resolve  # noqa: E402
from games.play.submit import Written, submit  # noqa: E402
from games.social import chat  # noqa: E402
from tests.browser import NAMES  # noqa: E402
from tests.factors import passed  # noqa: E402

WIDTHS: Final = {"narrow": 360, "wide": 1100}
THEMES: Final = ("light", "dark")
VISITOR: Final = ""
"""Nobody signed in."""


def people() -> dict[str, Account]:
    """One who reads English and one who reads Persian, each with friends at their tables."""
    return {
        "en": Account.objects.create_user("maryam@example.org", name="Maryam", time_zone="Europe/Berlin"),
        "fa": Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa", time_zone="Asia/Tehran"),
        "bahareh": Account.objects.create_user("bahareh@example.org", name="Bahareh"),
        "kaveh": Account.objects.create_user("kaveh@example.org", name="کاوه", language="fa"),
    }


def opened(host: Account, *others: Account, **chosen: Any) -> Game:
    """A table with these people, and bots on its other seats."""
    now = timezone.now()
    chosen["bots"] = (Bot(),) * chosen.get("bots", 0)
    game = create_game(host, NewGame(**chosen), "page", now)
    for other in others:
        game = join_game(game.pk, other, game.code, "page", now)
    bots.play(game.pk, now)
    return Game.objects.get(pk=game.pk)


def played(game: Game, most: int) -> Game:
    """The game after so many answers of its people, each the first that is offered."""
    for _ in range(most):
        row = OpenQuestion.objects.filter(game=game, bot=False).order_by("seat").first()
        if row is None:
            break
        now, account = timezone.now(), game.seats.get(number=row.seat).account
        submit(game, account, Written(row.question, "1"), Move.Via.PAGE, now)
        resolve(game.pk, now)
        bots.play(game.pk, now)
        game.refresh_from_db()
    return game


def pages(known: dict[str, Account], language: str) -> Iterator[tuple[str, str, bool]]:
    """The name and path of every page, and whether somebody is signed in."""
    me, other, third = known[language], known["fa" if language == "en" else "en"], known["bahareh"]
    for name, path in (
        ("welcome", "/"),
        ("sign-up", "/signup/"),
        ("code", "/signup/code/"),
        ("log-in", "/login/"),
        ("password", "/password/"),
        ("new-password", "/password/code/"),
        ("nothing", "/nothing/"),
    ):
        yield name, path, False
    for name in ("", "app/", "passkey/", "codes/"):
        yield f"two-factor-{name.strip('/') or 'all'}", f"/settings/two-factor/{name}", True
    yield "tokens", "/settings/tokens/", True
    yield "channels", "/settings/channels/", True
    yield "confirm", "/login/again/", True
    yield "home-first", "/", True
    coup = played(opened(me, other, third, rules="coup", seat_count=5, bots=2, options={"reformation": True}), 8)
    say(coup, me, other)
    sedlec = played(opened(me, other, rules="sedlec", seat_count=3, bots=1), 7)
    over = played(opened(me, rules="coup", seat_count=2, bots=1), 200)
    gathering = opened(me, third, rules="coup", seat_count=6, bots=1, private=True)
    public = opened(other, rules="sedlec", seat_count=3)
    strangers = played(opened(other, third, rules="coup", seat_count=3, bots=1), 3)
    yield "home", "/", True
    yield "tables", "/games/?state=all", True
    yield "games", "/games/new/", True
    yield "open-coup", "/games/new/coup/", True
    yield "open-sedlec", "/games/new/sedlec/", True
    yield "join", f"/join/?code={public.code}", True
    yield "join-wrong", "/join/?code=none", True
    for name, game in (
        ("coup", coup),
        ("sedlec", sedlec),
        ("over", over),
        ("gathering", gathering),
        ("public", public),
        ("strangers", strangers),
    ):
        yield f"table-{name}", f"/games/{game.pk}/", True
    yield "leave", f"/games/{gathering.pk}/leave/", True
    yield "resign", f"/games/{coup.pk}/resign/", True


def say(game: Game, *authors: Account) -> None:
    """Some chat."""
    now = timezone.now()
    words = ("I have nothing but dukes, as always.", "دوباره؟ این بار باور نمی‌کنم!")
    for author, text in zip(authors, words, strict=True):
        chat.send_message(game, author, None, text, now)
    chat.send_message(game, authors[1], SeatNumber(1), "میان خودمان: بهاره بلوف می‌زند.", now)


@contextmanager
def served() -> Iterator[str]:
    """The server on a port of its own, with an empty database."""
    with Server(settings.EMBEDDED_DATABASE), override_settings(ALLOWED_HOSTS=["*"]):
        call_command("migrate", verbosity=0)
        thread = LiveServerThread("localhost", lambda handler: handler)
        thread.daemon = True
        thread.start()
        thread.is_ready.wait()
        yield f"http://localhost:{thread.port}"
        thread.terminate()


def take(browser: Browser, home: str, folder: Path, name: str, path: str, language: str, session: str) -> int:
    """Keep what is seen of a page at every width in every theme; how many pictures that is."""
    for theme in THEMES:
        for width, pixels in WIDTHS.items():
            locale = "fa-IR" if language == "fa" else "en-GB"
            context = browser.new_context(
                locale=locale, color_scheme=theme, viewport={"width": pixels, "height": 800}, java_script_enabled=False
            )
            if session:
                context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": home}])
            page = context.new_page()
            page.goto(f"{home}{path}")
            page.screenshot(path=folder / f"{name}-{language}-{theme}-{width}.png", full_page=True)
            context.close()
    return len(THEMES) * len(WIDTHS)


def main(folder: Path, wanted: str) -> None:
    """Draw everything there is whose name has ``wanted`` in it."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    taken = 0
    with served() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        known = people()
        for language in ("en", "fa"):
            client = Client()
            client.force_login(known[language])
            passed(client, known[language])
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            for name, path, signed_in in pages(known, language):
                if wanted in name:
                    taken += take(browser, home, folder, name, path, language, session if signed_in else VISITOR)
        browser.close()
    sys.stdout.write(f"{taken} pictures are in {folder}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
