"""``darbar-play``: whole games in a terminal, on a running server, in both languages."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest
from darbar_play.app import PlayApp
from darbar_play.lobby import Lobby
from darbar_play.login import LogIn
from darbar_play.table import Table
from textual.pilot import Pilot
from textual.widgets import Input, Label, OptionList, RichLog, Static

from tests.clients.conftest import token_of, url_of
from tests.server.darbar import ROOT, Darbar
from tests.server.player import PASSWORD, Player


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something is seen on the screen."""
    for _ in range(800):
        await pilot.pause(0.05)
        if holds():
            return
    raise AssertionError(f"it never came: {pilot.app.screen}")


def text_of_part(pilot: Pilot[None], part: str, kind: type[Static] = Static) -> str:
    return str(pilot.app.screen.query_one(part, kind).render())


async def create_game(pilot: Pilot[None]) -> Table:
    """Make a game with the keyboard."""
    await until(pilot, lambda: isinstance(pilot.app.screen, Lobby) and bool(pilot.app.screen.titles))
    await pilot.press("n")
    await pilot.pause()
    await pilot.click("#create")
    await until(pilot, lambda: isinstance(pilot.app.screen, Table))
    assert isinstance(pilot.app.screen, Table)
    return pilot.app.screen


async def play(pilot: Pilot[None], table: Table) -> None:
    """Answer every question by the first of its moves, until the game is over."""
    answered = ""
    while not table.is_over:
        await until(pilot, partial(needs_something, table, answered))
        if not table.is_over and table.question:
            answered = table.question["id"]
            table.query_one("#moves", OptionList).focus()
            await pilot.press("enter")


def needs_something(table: Table, last: str) -> bool:
    """Return whether the game is over, or asks something else than the last question."""
    return table.is_over or (table.question is not None and table.question["id"] != last)


def story_of(table: Table) -> str:
    return "\n".join(strip.text for strip in table.query_one("#story", RichLog).lines)


@pytest.mark.parametrize(
    ("language", "over", "coins", "won"),
    [("en", "The game is over.", "coins", "won"), ("fa", "بازی تمام شد.", "سکه", "برد")],
)
def test_a_whole_game_is_played_with_the_keyboard(
    running: Darbar, player: Player, language: str, over: str, coins: str, won: str
) -> None:
    async def whole_game() -> None:
        app = PlayApp(url_of(running), token_of(player), language)
        async with app.run_test(size=(100, 40)) as pilot:
            table = await create_game(pilot)
            await until(pilot, lambda: coins in text_of_part(pilot, "#board"))
            assert player.name in text_of_part(pilot, "#board")
            await play(pilot, table)
            await until(pilot, lambda: over in text_of_part(pilot, "#asked", Label))
            assert won in story_of(table)
            await pilot.press("escape")
            await until(
                pilot, lambda: isinstance(app.screen, Lobby) and app.screen.query_one(OptionList).option_count > 0
            )

    asyncio.run(whole_game())
    (game,) = player.get("games/?mine=true")["results"]
    assert game["state"] == "over"


@pytest.mark.parametrize(("language", "mark"), [("en", "Your turn (2 d left)"), ("fa", "منتظر شما (۲ روز مانده)")])
def test_the_games_that_wait_for_the_player_come_first_with_the_time_left(
    running: Darbar, player: Player, language: str, mark: str
) -> None:
    terms = {"turn_limit": "P2DT1H", "reaction_limit": "P2DT1H", "options": {"starting_player": 1}}
    game = player.post("games/", {"rules": "coup", "seat_count": 2, "bots": [{}], **terms}, 201)["id"]
    player.post("games/", {"rules": "coup", "seat_count": 2}, 201)

    async def look() -> str:
        app = PlayApp(url_of(running), token_of(player), language)
        async with app.run_test(size=(100, 40)) as pilot:
            await until(pilot, lambda: game in getattr(app.screen, "deadlines", {}))
            games = app.screen.query_one("#games", OptionList)
            return "\n".join(str(games.get_option_at_index(row).prompt) for row in range(games.option_count))

    lines = asyncio.run(look()).splitlines()
    assert mark in "\n".join(lines)
    marked = [line.startswith("▶") for line in lines]
    assert marked == sorted(marked, reverse=True)
    assert not all(marked)
    player.post(f"games/{game}/resign/", {}, 202)


def test_somebody_logs_in_writes_and_reads_what_is_refused(running: Darbar, player: Player) -> None:
    async def log_in() -> None:
        app = PlayApp(url_of(running))
        async with app.run_test(size=(100, 40)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, LogIn))
            app.screen.query_one("#email", Input).value = player.email
            app.screen.query_one("#password", Input).value = "wrong"
            await pilot.click("#log-in")
            await until(pilot, lambda: len(app._notifications) == 1)
            app.screen.query_one("#password", Input).value = PASSWORD
            await pilot.click("#log-in")
            table = await create_game(pilot)
            await until(pilot, lambda: table.question is not None)
            app.clear_notifications()
            await write(pilot, table, "fly 9")
            await until(pilot, lambda: len(app._notifications) == 1)
            await write(pilot, table, "/ Good luck!")
            await until(pilot, lambda: f"{player.name}: Good luck!" in story_of(table))
            table.query_one("#moves", OptionList).focus()
            await pilot.press("f")
            await until(pilot, lambda: isinstance(app.screen, Lobby) and app.texts.language == "fa")

    asyncio.run(log_in())


async def write(pilot: Pilot[None], table: Table, line: str) -> None:
    field = table.query_one("#write", Input)
    field.value = line
    field.focus()
    await pilot.press("enter")


def test_the_terminal_client_is_no_part_of_the_server() -> None:
    inside = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import config.settings; print('textual' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", inside], text=True).strip() == "False"
    project = (ROOT / "pyproject.toml").read_text().partition("[dependency-groups]")[0]
    assert "textual" not in project
