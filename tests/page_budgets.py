"""The budgets of pages, measured on a running server: ``python -m tests.page_budgets``, or ``make pages``.

A browser comes for the first time, over a slow line: to the first page and to the page of a game, in both languages,
as a guest and with an account. It also makes moves, and watches how soon another's move shows. What each costs is
written, and exit status 1 tells that one costs more than it may. It needs Chromium, and runs a server of its own.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.browser import NAMES, Visitor
from tests.server.darbar import Darbar
from tests.server.test_live_pages import sit_down
from tests.server.test_whole_visit import sign_up

KILOBYTE: Final = 1000
VISIT: Final = 90 * KILOBYTE
"""The maximum size of a first visit over the wire, in bytes."""
TABLE: Final = 150 * KILOBYTE
"""The maximum size of a first visit to a game, with the drawings of its cards."""
PAINT: Final = 60 * KILOBYTE
"""The maximum size of the files that are loaded before the first paint, in bytes."""
MOVE: Final = 20 * KILOBYTE
"""The maximum size of an update of a page after a move, in bytes."""
LONGEST: Final = 3000
"""Milliseconds until the largest part of a page is seen."""
SHIFT: Final = 0.02
SEEN: Final = 1000
"""Milliseconds until a move shows on the pages that others have open."""
LINE: Final = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""400 kbit/s and 400 ms."""
MOVES: Final = 4
"""The number of moves that are made in each game."""
LOCALES: Final = {"en": "en-GB", "fa": "fa-IR"}

_OBSERVE: Final = """
    window.seen = { lcp: 0, shift: 0 };
    new PerformanceObserver((list) => { for (const each of list.getEntries()) seen.lcp = each.startTime; })
      .observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) if (!each.hadRecentInput) seen.shift += each.value;
    }).observe({ type: "layout-shift", buffered: true });
"""
_NOTICE: Final = """() => {
    window.seen = {};
    navigator.setAppBadge = async () => { seen.badge ??= Date.now(); };
    new MutationObserver(() => {
      if (document.title.startsWith("(1) ")) seen.title ??= Date.now();
      if (document.querySelector(".question .answers")) seen.question ??= Date.now();
      if (document.querySelector("#waiting .count")) seen.count ??= Date.now();
    }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""A script that records when a page shows that its reader is asked something."""
_PRESS: Final = """() => {
    const at = Date.now();
    document.querySelector(".answers button").click();
    return at;
}"""
_MEASURE: Final = """() => {
    const files = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((each) => each.initiatorType !== "fetch");
    const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    const bytes = (some) => some.reduce((sum, each) => sum + each.transferSize, 0);
    return { visit: bytes(files), paint: bytes(files.filter((each) => each.responseEnd <= painted)), ...seen };
}"""


@dataclass
class Budgets:
    """The measured values, and those over the budget."""

    findings: list[str] = field(default_factory=list)

    def compare(self, description: str, measured: float, most: float, unit: str) -> None:
        """Write one measurement, and keep it if it is too much."""
        line = f"{description}: {measured:,.3g} {unit} of {most:g}"
        sys.stdout.write(f"{line}\n")
        if measured > most:
            self.findings.append(line)

    def first_visit(
        self, browser: Browser, name: str, address: str, language: str, state: Any, most: int = VISIT
    ) -> None:
        """Measure what a browser takes that has never been here; what changes afterwards counts as moves."""
        context = phone(browser, language, storage_state=state)
        page = context.new_page()
        page.add_init_script(_OBSERVE)
        _line_of(context, page).send("Network.emulateNetworkConditions", LINE)
        page.goto(address, wait_until="load", timeout=60_000)
        page.wait_for_timeout(1500)
        measures = page.evaluate(_MEASURE)
        title = f"{name}, {language}"
        self.compare(f"{title}: first visit", measures["visit"] / KILOBYTE, most / KILOBYTE, "kB")
        self.compare(f"{title}: before the first paint", measures["paint"] / KILOBYTE, PAINT / KILOBYTE, "kB")
        self.compare(f"{title}: largest paint", measures["lcp"], LONGEST, "ms")
        self.compare(f"{title}: layout shift", measures["shift"], SHIFT, "")
        context.close()

    def moves(self, context: BrowserContext, page: Page, name: str) -> None:
        """Measure the updates of an open page: after its own answers and after other moves."""
        totals: dict[str, int] = {}
        sizes: dict[str, int] = {}
        line = _line_of(context, page)

        def sent(event: dict[str, Any]) -> None:
            before = event.get("redirectResponse", {}).get("encodedDataLength", 0)
            sizes[event["requestId"]] = sizes.get(event["requestId"], 0) + int(before)

        def on_event(event: dict[str, Any]) -> None:
            totals[event["requestId"]] = sizes.get(event["requestId"], 0) + int(event["encodedDataLength"])

        line.on("Network.requestWillBeSent", sent)
        line.on("Network.loadingFinished", on_event)
        for _ in range(MOVES):
            if page.locator(".answers button").count() == 0:
                break
            page.wait_for_timeout(700)
            page.locator(".answers button").first.click()
            page.wait_for_timeout(2500)
        self.compare(f"{name}: a move", max(totals.values(), default=0) / KILOBYTE, MOVE / KILOBYTE, "kB")

    def others(self, home: str, browser: Browser) -> None:
        """Measure the time until the next player sees a move, in the game and on the first page."""
        people = []
        for name in ("Sepideh", "Bahareh"):
            context = phone(browser, "en")
            context.set_default_timeout(60_000)
            people.append(Visitor(home, context, context.new_page()))
            sign_up(people[-1], name, f"{name.lower()}@darbar.example")
        path = sit_down(*people)
        people[0].page.locator(".answers, #stands").first.wait_for(state="attached")
        first, second = people if people[0].page.locator(".answers").count() else people[::-1]
        second_home = phone(browser, "en", storage_state=second.context.storage_state()).new_page()  # in front too
        pages = {"its page": second.page, "the first page": second_home}
        for page, where in ((second.page, path), (second_home, "/")):
            page.goto(f"{home}{where}")
            page.wait_for_timeout(1000)
            page.evaluate(_NOTICE)
        pressed = first.page.evaluate(_PRESS)
        for description, page in pages.items():
            page.wait_for_function("() => Object.keys(seen).length === 4")
            for part, at in page.evaluate("seen").items():
                self.compare(f"a move of another on {description}: {part}", at - pressed, SEEN, "ms")


def phone(browser: Browser, language: str, **how: Any) -> BrowserContext:
    """A browser of a phone that has never been here."""
    size = {"width": 390, "height": 844}
    return browser.new_context(locale=LOCALES[language], viewport=size, service_workers="block", **how)


def _line_of(context: BrowserContext, page: Page) -> CDPSession:
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    return line


def _guest(home: str, context: BrowserContext, language: str) -> Page:
    page = context.new_page()
    page.goto(f"{home}/")
    page.click("form[action='/try/'] button")
    page.wait_for_url("**/games/*-*/")
    return page


def _member(home: str, context: BrowserContext, language: str) -> Page:
    """Return an account whose page of the game has a chat, plans and all other parts."""
    visitor = Visitor(home, context, context.new_page())
    sign_up(visitor, f"Maryam {language}", f"maryam-{language}@darbar.example")
    visitor.page.click("form[action='/play/'] button[value=coup]")
    visitor.page.wait_for_url("**/games/*-*/")
    return visitor.page


KINDS: Final[dict[str, Callable[[str, BrowserContext, str], Page]]] = {"guest": _guest, "member": _member}


def measure(home: str, browser: Browser) -> list[str]:
    """Measure everything. Return the values over the budget."""
    budgets = Budgets()
    for language in LOCALES:
        budgets.first_visit(browser, "the first page", f"{home}/", language, None)
        budgets.first_visit(browser, "the lesson", f"{home}/learn/coup/", language, None)
        for kind, come in KINDS.items():
            context = phone(browser, language)
            context.set_default_timeout(60_000)
            page = come(home, context, language)
            page.wait_for_timeout(2000)
            name = f"a game of a {kind}"
            budgets.moves(context, page, f"{name}, {language}")
            budgets.first_visit(browser, name, page.url, language, context.storage_state(), TABLE)
            context.close()
    budgets.others(home, browser)
    return budgets.findings


@contextmanager
def running_server() -> Any:
    """A server of one's own, which ends with the measurements."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-budgets-"))
    server = Darbar(folder / "data")
    try:
        yield server.start()
    finally:
        if server.runs:
            server.end()
        shutil.rmtree(folder)


def main() -> None:
    """Measure; exit status 1 where a page costs more than it may."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    with running_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        findings = measure(f"http://localhost:{server.port}", browser)
        browser.close()
    if findings:
        sys.exit("Too much:\n" + "\n".join(findings))


if __name__ == "__main__":
    main()
