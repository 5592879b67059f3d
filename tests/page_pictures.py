"""A walk over all pages: ``python -m tests.page_pictures FOLDER [PARTS OF NAMES]``, or ``make pages``.

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
from typing import Final, Literal

import_module("tests.conftest")  # before anything of Django's

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test.testcases import LiveServerThread  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from playwright.sync_api import Browser, Page, Route, sync_playwright  # noqa: E402

from config.documents.build import POLICY, SITE  # noqa: E402
from config.embedded.postgres import Server  # noqa: E402
from tests.browser import NAMES, PATIENCE  # noqa: E402
from tests.page_list import pages, people  # noqa: E402

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
STATUSES: Final = {"nothing": 404, "join-wrong": 422}
"""The status of each page that says what is wrong."""
VISITOR: Final = ""
"""Nobody signed in."""


@contextmanager
def served() -> Iterator[str]:
    """The server on a port of its own, with an empty database."""
    with Server(settings.EMBEDDED_DATABASE), override_settings(ALLOWED_HOSTS=["*"], DOCUMENTS=SITE):
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
    """Says whether each page is looked at in one way only."""
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
            arrived = page.goto(f"{self.home}{path}", wait_until="load")
            if arrived is None or arrived.status != STATUSES.get(name, 200):
                self.findings.append(f"{self.shown}: status {arrived and arrived.status}")
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
        for cut in page.evaluate(_CUT):
            self.findings.append(f"{self.shown}: {cut} is cut at its edge")
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
_CUT: Final = """[...document.querySelectorAll("nav, .wide, .bar")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.tagName.toLowerCase() + "." + each.className)"""
"""Holds what can be seen whole only by scrolling sideways within a page; programs in the documents may."""


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


def main(folder: Path, wanted: list[str], quick: bool) -> None:
    """Look at the pages whose name has a ``wanted`` part, else at all; exit status 1 where something is amiss."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    if not (SITE / POLICY).is_file():
        sys.exit("The documents have not been made: make docs makes them.")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with served() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        walk = Walk(browser, home, folder, "" if quick else axe_source(), quick)
        known = people()
        for language in ("en", "fa"):
            for name, path, who in pages(known, language):
                if any(part in name for part in wanted or [""]):
                    session = who.cookies.get(settings.SESSION_COOKIE_NAME)
                    walk.look_at(name, path, language, session.value if session else VISITOR)
        browser.close()
    sys.stdout.write(f"{walk.taken} pictures are in {folder}\n")
    if walk.findings and not quick:
        sys.exit("\n".join(walk.findings))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.page_pictures", description="Walk over all pages.")
    parser.add_argument("folder", type=Path, help="the folder that the pictures are written to")
    parser.add_argument("wanted", nargs="*", help="look only at pages whose name has one of these in it")
    parser.add_argument("--quick", action="store_true", help="look at each page once, on a light phone")
    arguments = parser.parse_args()
    main(arguments.folder, arguments.wanted, arguments.quick)
