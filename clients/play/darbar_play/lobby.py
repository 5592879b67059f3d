"""The screen with the games, and the one with which a new game is made."""

from datetime import UTC, datetime
from typing import ClassVar

from darbar_client import AsyncDarbar, DarbarError, types
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Button, Footer, Header, Label, OptionList, Select
from textual.widgets.option_list import Option

from darbar_play.table import Table
from darbar_play.texts import Texts


class Lobby(Screen[None]):
    """My games, and open games of others."""

    BINDINGS: ClassVar[list[BindingType]] = [("n", "new", "+"), ("j", "join", "→")]

    def __init__(self, texts: Texts, darbar: AsyncDarbar) -> None:
        super().__init__()
        self.texts, self.darbar = texts, darbar
        self.games: dict[str, types.Game] = {}
        self.titles: dict[str, str] = {}
        self.deadlines: dict[str, str] = {}
        """The next deadline of each game that waits for an answer of mine."""

    def compose(self) -> ComposeResult:
        yield Header()
        yield Label(self.texts["games"], id="title")
        yield OptionList(id="games")
        yield Button(f"{self.texts['new']} (n)", id="new")
        yield Footer()

    def on_mount(self) -> None:
        self.load()

    def on_screen_resume(self) -> None:
        self.load()

    @work(exclusive=True)
    async def load(self) -> None:
        """Reload the games."""
        try:
            self.titles = {rules["name"]: rules["title"] for rules in (await self.darbar.list_rules())["results"]}
            own_games = await self.darbar.list_games(mine=True)
            others = await self.darbar.list_games(mine=False, state="open")
            questions = (await self.darbar.list_questions())["results"]
        except DarbarError as error:
            self.notify(getattr(error, "detail", str(error)), severity="error")
            return
        if not self.query("#games"):  # the screen was left during a request, and its widgets are gone
            return
        # The most urgent question comes first, so its deadline is stored last.
        self.deadlines = {question["game"]: question["due_at"] for question in reversed(questions)}
        games = [*own_games["results"], *others["results"]]
        games.sort(key=lambda game: self.deadlines.get(game["id"], "~"))
        self.games = {game["id"]: game for game in games}
        option_list = self.query_one("#games", OptionList)
        option_list.clear_options()
        option_list.add_options([Option(self._line(game), id=game["id"]) for game in self.games.values()])
        self.query_one("#title", Label).update(self.texts["games"] if self.games else self.texts["no-games"])

    def _line(self, game: types.Game) -> str:
        names = self.texts["comma"].join(seat["name"] for seat in game["seats"])
        title = self.titles.get(game["rules"], game["rules"])
        seats = "/".join(map(self.texts.number, (len(game["seats"]), game["seat_count"])))
        line = f"{title} · {self.texts.state(game['state'])} · {seats} {self.texts['seats']} · {names}"
        if game["id"] not in self.deadlines:
            return line
        left = datetime.fromisoformat(self.deadlines[game["id"]]) - datetime.now(UTC)
        return f"▶ {self.texts['your-turn']} ({self.texts.time_left(left)}) · {line}"

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.app.push_screen(Table(self.texts, self.darbar, str(event.option.id)))

    def on_button_pressed(self) -> None:
        self.action_new()

    def action_new(self) -> None:
        """Make a game."""
        self.app.push_screen(NewGame(self.texts, self.darbar, self.titles), self._open)

    def _open(self, game: str | None) -> None:
        if game:
            self.app.push_screen(Table(self.texts, self.darbar, game))

    @work
    async def action_join(self) -> None:
        """Join the game that is chosen."""
        games = self.query_one("#games", OptionList)
        if games.highlighted is None:
            return
        game = str(games.get_option_at_index(games.highlighted).id)
        try:
            await self.darbar.join_game(game, {})
        except DarbarError as error:
            self.notify(getattr(error, "detail", str(error)), severity="error")
        else:
            self._open(game)


class NewGame(Screen[str]):
    """A new game with bots: which one, and for how many."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss", "✗")]

    def __init__(self, texts: Texts, darbar: AsyncDarbar, titles: dict[str, str]) -> None:
        super().__init__()
        self.texts, self.darbar, self.titles = texts, darbar, titles

    def compose(self) -> ComposeResult:
        yield Header()
        with Vertical(id="form"):
            titles = [(title, name) for name, title in self.titles.items()]
            yield Select(titles, allow_blank=False, id="rules")
            counts = [(f"{self.texts.number(count)} {self.texts['seats']}", count) for count in range(2, 7)]
            yield Select(counts, allow_blank=False, id="seats")
            yield Button(self.texts["create"], variant="primary", id="create")
        yield Footer()

    async def on_button_pressed(self) -> None:
        rules, seats = self.query_one("#rules", Select), self.query_one("#seats", Select)
        count = int(str(seats.value))
        try:
            game = await self.darbar.create_game(
                {"rules": str(rules.value), "seat_count": count, "bots": [{}] * (count - 1)}
            )
        except DarbarError as error:
            self.notify(getattr(error, "detail", str(error)), severity="error")
        else:
            self.dismiss(game["id"])
