"""A walk over all pages: ``python -m tests.page_pictures FOLDER [PART OF A NAME]``, or ``make pages``.

Every page in both languages, light and dark, in four widths, and on a phone without scripts too: its picture is kept to
be looked at, and what is amiss is listed. That is a page wider than its window, an error in a script, anything that the
policy stopped, a layout that shifts while it loads, and what axe-core finds, where npm can fetch it. It plays some
games in a database of its own and needs Chromium.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import_module("tests.conftest")  # before anything of Django's

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.testcases import LiveServerThread  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from django.utils import timezone  # noqa: E402
from playwright.sync_api import Browser, Page, Route, sync_playwright  # noqa: E402

from accounts.models import Account  # noqa: E402
from config.embedded.postgres import Server  # noqa: E402
from games.archive import ratings  # noqa: E402
from games.engine import SeatNumber  # noqa: E402
from games.lobby import invitations  # noqa: E402
from games.lobby.create import create_game  # noqa: E402
from games.lobby.join import join_game  # noqa: E402
from games.lobby.new_game import NewGame  # noqa: E402
from games.models import Bot, Game, Move, OpenQuestion  # noqa: E402
from games.play import bots  # noqa: E402
from games.play.resolve import resolve  # noqa: E402
from games.play.submit import Written, submit  # noqa: E402
from games.social import chat  # noqa: E402
from games.text import links  # noqa: E402
from tests.browser import NAMES, PATIENCE  # noqa: E402
from tests.factors import passed  # noqa: E402

WIDTHS: Final = (320, 390, 768, 1440)
PHONE: Final = 390
"""The width of the phone that looks at each page as one who comes for the first time, and also without scripts."""
EXAMINED: Final = (PHONE, 1440)
"""The widths in which axe-core looks at a page."""
MOST_SHIFT: Final = 0.02
"""The cumulative layout shift that a page may have."""
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
AXE: Final = "4.14.1"
ROOT: Final = Path(__file__).parent.parent
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
        ("offline", "/offline/"),
        ("lesson-first", "/learn/coup/"),
        ("lesson-wrong", "/learn/coup/?moves=tax,prove&answer=1"),
        ("lesson-last", "/learn/coup/?moves=tax,prove,challenge,block+duke"),
        ("lesson-done", "/learn/coup/?moves=tax,prove,challenge,block+duke,concede+captain"),
    ):
        yield name, path, False
    for name in ("", "app/", "passkey/", "codes/"):
        yield f"two-factor-{name.strip('/') or 'all'}", f"/settings/two-factor/{name}", True
    yield "settings", "/settings/", True
    for name in ("emails", "calendar", "channels", "people", "tokens", "password", "webhooks", "account"):
        yield name, f"/settings/{name}/", True
    for name in ("", "coup/", "sedlec/"):
        yield f"rules-{name.strip('/') or 'all'}", f"/rules/{name}", False
    yield "confirm", "/login/again/", True
    yield "home-first", "/", True
    coup = played(opened(me, other, third, rules="coup", seat_count=5, bots=2, options={"reformation": True}), 8)
    say(coup, me, other)
    sedlec = played(opened(me, other, rules="sedlec", seat_count=3, bots=1), 7)
    over = played(opened(me, rules="coup", seat_count=2, bots=1), 200)
    gathering = opened(me, third, rules="coup", seat_count=6, bots=1, private=True)
    public = opened(other, rules="sedlec", seat_count=3)
    strangers = played(opened(other, third, rules="coup", seat_count=3, bots=1), 3)
    for _ in range(3):
        played(opened(me, other, third, rules="coup", seat_count=3), 300)
    ratings.count_all(timezone.now())
    Account.objects.update(public_profile=True)
    yield "home", "/", True
    yield "leaders", "/leaders/", True
    yield "player", f"/players/{other.name}/", True
    yield "replay", f"/games/{over.pk}/replay/", True
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
    for name, path in (
        ("tables", "/games/?state=all"),
        ("table", f"/games/{strangers.pk}/"),
        ("public", f"/games/{public.pk}/"),
        ("over", f"/games/{over.pk}/"),
        ("replay", f"/games/{over.pk}/replay/?step=9"),
        ("leaders", "/leaders/"),
        ("player", f"/players/{other.name}/"),
    ):
        yield f"visitor-{name}", path, False
    yield "invitation", invitation_link(gathering, me, language), False
    yield "answer", answer_link(strangers), False
    yield "report", f"/games/{coup.pk}/report/", True
    yield "plans", f"/games/{coup.pk}/plans/", True
    yield "leave", f"/games/{gathering.pk}/leave/", True
    yield "resign", f"/games/{coup.pk}/resign/", True


def invitation_link(game: Game, host: Account, language: str) -> str:
    """The path of the page that an invitation by email leads to."""
    made = invitations.invite(game.pk, host, f"friend-{language}@example.org", language, timezone.now())
    return urlsplit(links.page_of_invitation(made.pk)).path


def answer_link(game: Game) -> str:
    """The path of the page that a question by email leads to."""
    row = game.open_questions.filter(bot=False).first()
    assert row is not None
    account = game.seats.get(number=row.seat).account
    assert account is not None
    return urlsplit(links.page_of(game.pk, row.question, account.pk)).path


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


@dataclass
class Walk:
    """A walk over the pages with one browser."""

    browser: Browser
    home: str
    folder: Path
    axe: str
    """The source of axe-core; blank where it is not to be had."""
    quick: bool = False
    """Whether each page is looked at in one way only."""
    taken: int = 0
    shown: str = ""
    """The name of the picture that is taken now."""
    pages: dict[tuple[str, str, bool], Page] = field(default_factory=dict)
    """The pages that are open: by language, session, and whether scripts run."""
    findings: list[str] = field(default_factory=list)

    def look_at(self, name: str, path: str, language: str, session: str) -> None:
        """Keep what is seen of a page in every way, or in the one of a light phone; note what is amiss."""
        for width, scripts in [(PHONE, True)] if self.quick else [*product(WIDTHS, (True,)), (PHONE, False)]:
            page = self._page(language, session, width == PHONE, scripts)
            page.set_viewport_size({"width": width, "height": 844})
            self.shown = f"{name}-{language}-{width}"
            page.goto(f"{self.home}{path}", wait_until="load")
            for theme in THEMES if scripts and not self.quick else THEMES[:1]:
                self.shown = f"{name}-{language}-{theme}-{width}{'' if scripts else '-without-scripts'}"
                page.emulate_media(color_scheme=theme)
                self._examine(page, width, scripts)
            page.emulate_media(color_scheme=THEMES[0])

    def _page(self, language: str, session: str, first: bool, scripts: bool) -> Page:
        """A browser's page for this way of looking: a new one for who comes for the first time to each."""
        way = (language, session, scripts)
        if way in self.pages and first:
            self.pages.pop(way).context.close()
        if way not in self.pages:
            self.pages[way] = self._new_page(*way)
        return self.pages[way]

    def _new_page(self, language: str, session: str, scripts: bool) -> Page:
        context = self.browser.new_context(
            locale="fa-IR" if language == "fa" else "en-GB", java_script_enabled=scripts, service_workers="block"
        )
        if session:
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.home}])
        context.set_default_timeout(PATIENCE)
        context.route("**/api/v1/stream/*", self._keep_quiet)
        page = context.new_page()
        page.on("pageerror", lambda error: self.findings.append(f"{self.shown}: {error}"))
        page.on("console", lambda said: self._complain(said.text) if said.type == "error" else None)
        if scripts:
            page.add_init_script(_SHIFTS)
        return page

    def _examine(self, page: Page, width: int, scripts: bool) -> None:
        if width == PHONE:
            self._keep(page, "", whole=False)
        self._keep(page, "-whole", whole=True)
        if not scripts:
            return
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            self.findings.append(f"{self.shown}: {wide} pixels wide")
        if (shift := page.evaluate("window.shifts")) > MOST_SHIFT:
            self.findings.append(f"{self.shown}: the layout shifts by {shift:.3f}")
        if self.axe and width in EXAMINED:
            self._ask_axe(page)

    def _ask_axe(self, page: Page) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(self.axe)
        for found in page.evaluate("axe.run({ resultTypes: ['violations'] }).then(result => result.violations)"):
            where = ", ".join(str(node["target"][0]) for node in found["nodes"][:3])
            self.findings.append(f"{self.shown}: {found['id']}: {found['help']} ({where})")

    def _keep(self, page: Page, part: str, *, whole: bool) -> None:
        page.screenshot(path=self.folder / f"{self.shown}{part}.png", full_page=whole, animations="disabled")
        self.taken += 1

    def _complain(self, said: str) -> None:
        if "status of 4" not in said:  # of the page itself, which says so
            self.findings.append(f"{self.shown}: {said}")

    def _keep_quiet(self, route: Route) -> None:
        headers = {"Access-Control-Allow-Origin": self.home, "Access-Control-Allow-Credentials": "true"}
        route.fulfill(content_type="text/event-stream", headers=headers, body="retry: 600000\n\n")


_SHIFTS: Final = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


def axe_source() -> str:
    """The source of axe-core, fetched once; blank, and a word, where it cannot be fetched."""
    kept = ROOT / ".cache" / f"axe-core-{AXE}"
    script = kept / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        said = npm and subprocess.run([npm, "install", "--silent", "--prefix", kept, f"axe-core@{AXE}"], check=False)
        if not said or said.returncode:
            sys.stdout.write("axe-core is not to be had (npm fetches it): accessibility is not examined.\n")
            return ""
    return script.read_text()


def main(folder: Path, wanted: str, quick: bool) -> None:
    """Look at all pages whose name has ``wanted`` in it; exit status 1 where something is amiss."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with served() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        walk = Walk(browser, home, folder, "" if quick else axe_source(), quick)
        known = people()
        for language in ("en", "fa"):
            client = Client()
            client.force_login(known[language])
            passed(client, known[language])
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            for name, path, signed_in in pages(known, language):
                if wanted in name:
                    walk.look_at(name, path, language, session if signed_in else VISITOR)
        browser.close()
    sys.stdout.write(f"{walk.taken} pictures are in {folder}\n")
    if walk.findings and not quick:
        sys.exit("\n".join(walk.findings))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.page_pictures", description="Walk over all pages.")
    parser.add_argument("folder", type=Path, help="the folder that the pictures are written to")
    parser.add_argument("wanted", nargs="?", default="", help="look only at pages whose name has this in it")
    parser.add_argument("--quick", action="store_true", help="look at each page once, on a light phone")
    arguments = parser.parse_args()
    main(arguments.folder, arguments.wanted, arguments.quick)
