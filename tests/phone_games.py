"""Whole games on a phone: ``python -m tests.phone_games FOLDER [GAME]``.

A browser of 390 by 844 plays Coup with ten seats and all expansions, and Sedlec with three seats, against bots on a
new server. At every question, the player's own cards, the claim and the answers must be visible without scrolling.
Pictures of the questions are stored. The exit status is 1 if anything was out of sight. Chromium is needed.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from tests.browser import NAMES, Visitor
from tests.page_budgets import phone, running_server
from tests.server.test_whole_visit import sign_up

GAMES: Final = {
    "coup": {"seats": "10", "options": ("inquisitor", "reformation", "anarchist"), "hand": "[data-place] .cp-own"},
    "sedlec": {"seats": "3", "options": (), "hand": "[data-place=seat-1] :is(.sd-edge, .sd-gone)"},
}
FEW: Final = 4
LONGEST: Final = 600
"""The number of seconds a game takes at most."""

_SEEN: Final = """(hand) => {
    const bar = document.querySelector(".play .bar");
    const top = bar.getBoundingClientRect().top;
    const inside = (element, bottom) => {
      const box = element.getBoundingClientRect();
      return box.top >= 0 && box.bottom <= bottom + 1;
    };
    const missing = [];
    if (scrollY !== 0) missing.push("the page was scrolled");
    const own = [...document.querySelectorAll(hand)].slice(0, 2); // of a panel, or of the cards and the room for them
    if (!own.length) missing.push("own cards are not drawn");
    for (const each of own.filter((each) => !inside(each, top))) {
      missing.push(`own cards end at ${Math.round(each.getBoundingClientRect().bottom)}`);
    }
    const claim = document.querySelector("[data-part=claim]");
    if (claim && !inside(claim, top)) missing.push("the claim is out of sight");
    if (!inside(document.querySelector("#question"), innerHeight)) missing.push("the question is out of sight");
    const answer = document.querySelector(".answers button");
    if (answer && !inside(answer, innerHeight)) missing.push("the first answer is out of sight");
    if (missing.length) missing.push(`the answers begin at ${Math.round(top)}`);
    return missing;
}"""


class Walk:
    """A game that is played to its end."""

    def __init__(self, page: Page, name: str, folder: Path) -> None:
        self.page, self.name, self.folder = page, name, folder
        self.asked = 0
        self.findings: list[str] = []

    def begin(self, home: str) -> None:
        """Create the game with bots on all other seats."""
        game = GAMES[self.name]
        self.page.goto(f"{home}/games/new/{self.name}/")
        self.page.select_option("[name=seat_count]", str(game["seats"]))
        self.page.check("[name=who][value=bots]")
        for option in game["options"]:
            self.page.check(f"[name=option-{option}]")
        self.page.locator("main form button").last.click()
        self.page.wait_for_url("**/games/*-*/")

    def play(self) -> None:
        """Answer all questions, each time in another way, until the game is over."""
        deadline = time.monotonic() + LONGEST
        while not self._is_over():
            if time.monotonic() > deadline:
                self.findings.append(f"{self.name}: the game was not over after {LONGEST} seconds")
                return
            buttons = self.page.locator(".answers button")
            if not buttons.count():
                self.page.wait_for_timeout(200)
                continue
            self._look()
            self._answer(buttons)

    def _is_over(self) -> bool:
        return self.page.locator("form[action$='/rematch/']").count() > 0

    def _look(self) -> None:
        self.page.evaluate("scrollTo(0, 0)")
        self.page.wait_for_timeout(650)  # until a question may be answered, and what moved has come to rest
        if not self.page.locator(".answers button").count():
            return
        missing = self.page.evaluate(_SEEN, GAMES[self.name]["hand"])
        picture = f"{self.name}-{self.asked:03}.png"
        self.page.screenshot(path=self.folder / picture)
        self.findings += [f"{picture}: {', '.join(missing)}"] if missing else []
        self.asked += 1

    def _answer(self, buttons: Any) -> None:
        count = buttons.count()
        if not count:
            return
        question = self.page.locator(".answers [name=question]").first.input_value()
        turn = count > FEW  # elsewhere the first answer keeps one longest in the game
        buttons.nth(self.asked * 7 % count if turn else 0).click()
        self.page.wait_for_function(
            "(asked) => document.querySelector('.answers [name=question]')?.value !== asked", arg=question
        )


def main(folder: Path, names: Iterable[str]) -> None:
    """Play the games; exit status 1 where something was out of sight."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        sys.exit("There is no Chromium on this machine.")
    folder.mkdir(parents=True, exist_ok=True)
    findings: list[str] = []
    with running_server() as server, sync_playwright() as playwright:
        home = f"http://localhost:{server.port}"
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        context = phone(browser, "en")
        context.set_default_timeout(60_000)
        visitor = Visitor(home, context, context.new_page())
        sign_up(visitor, "Maryam", "maryam@darbar.example")
        for name in names:
            walk = Walk(visitor.page, name, folder)
            walk.begin(home)
            walk.play()
            sys.stdout.write(f"{name}: {walk.asked} questions, pictures in {folder}\n")
            findings += walk.findings
        browser.close()
    if findings:
        sys.exit("\n".join(findings))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.phone_games", description="Play whole games on a phone.")
    parser.add_argument("folder", type=Path, help="the folder that the pictures are written to")
    parser.add_argument("game", nargs="*", help=f"the games to play: {', '.join(GAMES)}; else all of them")
    arguments = parser.parse_args()
    main(arguments.folder, arguments.game or GAMES)
