"""A real browser: Chromium, which visits only the server under test.

``visit`` opens a browser for a person: ``maryam = visit(live_server.url, locale="fa")``. Then ``maryam.go("/")`` and
all methods of Playwright's page can be used. Tests are skipped if Chromium is not installed.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.db import connections

if TYPE_CHECKING:  # it takes a second to import, and every run of tests imports this module
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Response, Route

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE: Final = 60_000
"""Milliseconds that a page may take on a busy machine."""
_ARGUMENTS: Final = (
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


@dataclass
class Visitor:
    """A person with a browser and separate cookies."""

    home: str
    """The address of the server under test, without a slash at its end."""
    context: "BrowserContext"
    page: "Page"
    elsewhere: list[str] = field(default_factory=list)
    """The addresses of other servers that pages requested. The requests were blocked."""
    dialogs: list[str] = field(default_factory=list)
    """The texts of the dialogs that pages opened. Each dialog was dismissed."""
    complaints: list[str] = field(default_factory=list)
    """The errors that the browser reported: those of scripts, and requests that a content security policy refused."""

    def go(self, path: str) -> "Response":
        """Open a path of the server under test, or a whole address."""
        response = self.page.goto(f"{self.home}{path}" if path.startswith("/") else path)
        assert response is not None
        return response

    def watch(self, page: "Page") -> None:
        """Take notes of what a page does."""
        page.on("dialog", self._dismiss)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda text: self.complaints.append(text.text) if text.type == "error" else None)

    def refuse(self, route: "Route") -> None:
        """Fetch nothing that is not on the server under test."""
        self.elsewhere.append(route.request.url)
        route.abort()

    def keep_quiet(self, route: "Route") -> None:
        """Serve an event stream on which nothing happens."""
        headers = {"Access-Control-Allow-Origin": self.home, "Access-Control-Allow-Credentials": "true"}
        route.fulfill(content_type="text/event-stream", headers=headers, body=f"retry: {1000 * PATIENCE}\n\n")

    def _dismiss(self, dialog: "Dialog") -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """The browser, without anybody in it.

    Playwright keeps an event loop running in the thread of its tests, in which Django would refuse to ask the
    database. They only ever use both by turns, and no other module's tests see the loop.
    """
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - see above

    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"there is no Chromium on this machine (looked for {', '.join(NAMES)})")
    arguments = [*_ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as playwright:
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()
        # The tests' thread has connections of its own during the loop, which would stay open afterwards.
        connections.close_all()


@pytest.fixture
def visit(chromium: "Browser") -> Iterator[Visit]:
    """Open the browser for another person. The options are those of Playwright's ``new_context``.

    ``stream``: the address of the event stream. Without it, the stream never sends anything. Service workers are
    blocked, because their requests cannot be watched, unless a test needs them (``service_workers``).

    A test fails if one of its pages tried to fetch anything from another server.
    """
    visitors: list[Visitor] = []

    def begin(home: str, *, stream: str = "", **how: Any) -> Visitor:
        context = chromium.new_context(**{"service_workers": "block", **how})
        context.set_default_timeout(PATIENCE)
        visitor = Visitor(home.rstrip("/"), context, context.new_page())
        visitor.watch(visitor.page)
        context.on("page", visitor.watch)
        ours = "|".join(re.escape(address) for address in (visitor.home, stream) if address)
        context.route(re.compile(rf"^(?!file:|({ours})(/|$))\w+://"), visitor.refuse)
        if not stream:
            context.route("**/api/v1/stream/*", visitor.keep_quiet)
        visitors.append(visitor)
        return visitor

    yield begin
    for visitor in visitors:
        # A context that is closed while one of its requests is being answered here may never end.
        visitor.context.unroute_all(behavior="ignoreErrors")
        visitor.context.close()
    assert [address for visitor in visitors for address in visitor.elsewhere] == []
