"""A walk over all pages: ``python -m tests.page_pictures FOLDER [PARTS OF NAMES]``, or ``make pages``.

Takes pictures of every page in both languages, light and dark, in four widths, and on a phone without scripts, and
lists their faults: a page wider than its window, an error in a script, a violation of the content security policy, a
layout that shifts while it loads, and the findings of axe-core, if npm can fetch it. It plays some games in a separate
database and needs Chromium. Two browsers share the pages.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Final, Literal

import_module("tests.conftest")  # before anything of Django's

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test.testcases import LiveServerThread  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from playwright.sync_api import Browser, FloatRect, Page, Route, sync_playwright  # noqa: E402

from accounts.models import Account  # noqa: E402
from config.server.documents.build import POLICY, SITE  # noqa: E402
from config.server.postgres import Server  # noqa: E402
from tests.browser import NAMES, PATIENCE  # noqa: E402
from tests.page_list import pages, people  # noqa: E402

PHONE: Final = 390
"""The width of the phone that looks at each page as one who comes for the first time, and also without scripts."""
WIDTHS: Final = {PHONE: 320, 1440: 768}
"""The widths in which a page is loaded and axe-core looks at it, each with one to which its window is changed then."""
MOST_SHIFT: Final = 0.02
"""The cumulative layout shift that a page may have."""
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
AXE: Final = "4.14.1"
RULES: Final[dict[Theme, list[str]]] = {"light": [], "dark": ["color-contrast", "link-in-text-block"]}
"""The rules by which axe-core looks at a page: all, and in the dark those about colors. All else is the same there."""
BROWSERS: Final = 2
"""The number of browsers that share the pages."""
ROOT: Final = Path(__file__).parent.parent
STATUSES: Final = {"nothing": 404, "join-wrong": 422}
"""The status of each error page."""
HEIGHT: Final = 844
LONGEST: Final = 16_000
"""The number of pixels of a page that its picture shows: a JPEG has 65,535 at most."""
QUALITY: Final = 85
"""The quality of pictures, of 100. They are JPEGs, since a PNG of a long page takes twice the time."""


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


@dataclass(frozen=True)
class View:
    """A page as one person sees it."""

    name: str
    path: str
    language: str
    session: str
    """The key of the person's session; blank for a visitor."""


@dataclass
class Walk:
    """A walk of one browser over some of the pages."""

    browser: Browser
    home: str
    folder: Path
    axe: str
    """The source of axe-core, or blank if it is not installed."""
    quick: bool = False
    """True if each page is looked at in one way only."""
    picture_count: int = 0
    picture_name: str = ""
    """The name of the present picture."""
    pages: dict[tuple[str, str, bool], Page] = field(default_factory=dict)
    """The pages that are open: by language, session, and whether scripts run."""
    findings: list[str] = field(default_factory=list)

    def look_at(self, view: View) -> None:
        """Take the pictures of a page in every variant, or only on a light phone, and record its faults."""
        self._close(view)
        for width, other in [(PHONE, PHONE)] if self.quick else WIDTHS.items():
            page = self._load(view, width, scripts=True)
            for theme in THEMES[:1] if self.quick else THEMES:
                page.emulate_media(color_scheme=theme)
                self._name(view, theme, width)
                self._examine(page, width)
                self._ask_axe(page, RULES[theme])
            if other != width:
                page.set_viewport_size({"width": other, "height": HEIGHT})
                for theme in reversed(THEMES):
                    page.emulate_media(color_scheme=theme)
                    self._name(view, theme, other)
                    self._examine(page, other)
        if not self.quick:
            page = self._load(view, PHONE, scripts=False)
            self._name(view, THEMES[0], PHONE, "-without-scripts")
            self._keep_pictures(page, PHONE)

    def _close(self, view: View) -> None:
        """Forget that this person has been here: who comes for the first time has no fonts, styles and scripts."""
        if page := self.pages.pop((view.language, view.session, True), None):
            page.context.close()

    def _load(self, view: View, width: int, *, scripts: bool) -> Page:
        way = (view.language, view.session, scripts)
        if way not in self.pages:
            self.pages[way] = self._new_page(*way)
        page = self.pages[way]
        page.set_viewport_size({"width": width, "height": HEIGHT})
        self._name(view, THEMES[0], width)
        arrived = page.goto(f"{self.home}{view.path}", wait_until="load")
        if arrived is None or arrived.status != STATUSES.get(view.name, 200):
            self.findings.append(f"{self.picture_name}: status {arrived and arrived.status}")
        if scripts and (shift := page.evaluate("window.shifts")) > MOST_SHIFT:
            self.findings.append(f"{self.picture_name}: the layout shifts by {shift:.3f}")
        page.screenshot(type="jpeg", full_page=True)  # on a busy machine the first one is squeezed or blank
        return page

    def _name(self, view: View, theme: Theme, width: int, way: str = "") -> None:
        self.picture_name = f"{view.name}-{view.language}-{theme}-{width}{way}"

    def _new_page(self, language: str, session: str, scripts: bool) -> Page:
        context = self.browser.new_context(
            locale="fa-IR" if language == "fa" else "en-GB", java_script_enabled=scripts, service_workers="block"
        )
        if session:
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.home}])
        context.set_default_timeout(PATIENCE)
        context.route("**/api/v1/stream/*", self._keep_quiet)
        page = context.new_page()
        page.on("pageerror", lambda error: self.findings.append(f"{self.picture_name}: {error}"))
        page.on("console", lambda text: self._complain(text.text) if text.type == "error" else None)
        if scripts:
            page.add_init_script(_SHIFTS)
        return page

    def _examine(self, page: Page, width: int) -> None:
        self._keep_pictures(page, width)
        for cut in page.evaluate(_CUT):
            self.findings.append(f"{self.picture_name}: {cut} is cut at its edge")
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            self.findings.append(f"{self.picture_name}: {wide} pixels wide")

    def _ask_axe(self, page: Page, rules: list[str]) -> None:
        """Note what axe-core finds, by these rules or by all."""
        if not self.axe:
            return
        if not page.evaluate("'axe' in window"):
            page.evaluate(self.axe)
        for violation in page.evaluate(_VIOLATIONS, rules):
            where = ", ".join(str(node["target"][0]) for node in violation["nodes"][:3])
            self.findings.append(f"{self.picture_name}: {violation['id']}: {violation['help']} ({where})")

    def _keep_pictures(self, page: Page, width: int) -> None:
        if width == PHONE:
            self._keep(page, "", whole=False)
        self._keep(page, "-whole", whole=True)

    def _keep(self, page: Page, part: str, *, whole: bool) -> None:
        path = self.folder / f"{self.picture_name}{part}.jpg"
        size = page.evaluate("({ width: innerWidth, height: document.documentElement.scrollHeight })")
        clip: FloatRect | None = {"x": 0, "y": 0, **size, "height": min(size["height"], LONGEST)} if whole else None
        page.screenshot(path=path, type="jpeg", quality=QUALITY, full_page=whole, clip=clip, animations="disabled")
        self.picture_count += 1

    def _complain(self, sentence: str) -> None:
        if "status of 4" not in sentence:  # of the page itself, which says so
            self.findings.append(f"{self.picture_name}: {sentence}")

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
"""Elements that are wider than a page and scroll sideways. Only programs in the documents may be so wide."""
_VIOLATIONS: Final = """async (rules) => {
    const only = rules.length ? { runOnly: rules } : {};
    return (await axe.run({ resultTypes: ["violations"], ...only })).violations;
}"""


def axe_source() -> str:
    """The source of axe-core, fetched once; blank, and a word, where it cannot be fetched."""
    folder = ROOT / ".cache" / f"axe-core-{AXE}"
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        installation = npm and subprocess.run(
            [npm, "install", "--silent", "--prefix", folder, f"axe-core@{AXE}"], check=False
        )
        if not installation or installation.returncode:
            sys.stdout.write("axe-core is not to be had (npm fetches it): accessibility is not examined.\n")
            return ""
    return script.read_text()


def views(accounts: dict[str, Account], language: str, parts: list[str]) -> Iterator[View]:
    """Yield the pages whose name has one of the ``parts``, else all; their games are played meanwhile."""
    for name, path, who in pages(accounts, language):
        if any(part in name for part in parts or [""]):
            session = who.cookies.get(settings.SESSION_COOKIE_NAME)
            yield View(name, path, language, session.value if session else "")


def walk_over(some: Iterable[View], program: str, home: str, folder: Path, axe: str, quick: bool) -> Walk:
    """Look at views with a browser of one's own, as long as there are some that no other browser has taken."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        walk = Walk(browser, home, folder, axe, quick)
        for view in some:
            walk.look_at(view)
        browser.close()
    return walk


def main(folder: Path, parts: list[str], quick: bool) -> None:
    """Look at the pages whose name has one of the ``parts``, else at all; exit status 1 where something is amiss."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    if not (SITE / POLICY).is_file():
        sys.exit("The documents have not been made: make docs makes them.")
    folder.mkdir(parents=True, exist_ok=True)
    axe = "" if quick else axe_source()
    walks: list[Walk] = []
    with served() as home, ThreadPoolExecutor(BROWSERS) as browsers:
        accounts = people()
        for language in ("en", "fa"):
            some = iter([*views(accounts, language, parts)])
            walking = [browsers.submit(walk_over, some, program, home, folder, axe, quick) for _ in range(BROWSERS)]
            walks += [future.result() for future in walking]
    sys.stdout.write(f"{sum(walk.picture_count for walk in walks)} pictures are in {folder}\n")
    findings = sorted({finding for walk in walks for finding in walk.findings})
    if findings and not quick:
        sys.exit("\n".join(findings))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.page_pictures", description="Walk over all pages.")
    parser.add_argument("folder", type=Path, help="the folder that the pictures are written to")
    parser.add_argument("wanted", nargs="*", help="look only at pages whose name has one of these in it")
    parser.add_argument("--quick", action="store_true", help="look at each page once, on a light phone")
    arguments = parser.parse_args()
    main(arguments.folder, arguments.wanted, arguments.quick)
