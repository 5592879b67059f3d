"""The screen of a game: its board, its story, and what is asked."""

from collections.abc import Mapping
from typing import Any, ClassVar

from darbar_client import AsyncDarbar, DarbarError, Refused, types
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Footer, Header, Input, Label, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from darbar_play.boards import board
from darbar_play.texts import Texts


class Table(Screen[None]):
    """A game as I see it; it changes as the stream tells."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "←")]

    def __init__(self, texts: Texts, darbar: AsyncDarbar, game: str) -> None:
        super().__init__()
        self.texts, self.darbar, self.game = texts, darbar, game
        self.told = 0
        """The number of the last event that is in the story."""
        self.read = ""
        """The last chat message that is in it."""
        self.question: types.Question | None = None
        self.is_over = False

    def compose(self) -> ComposeResult:
        yield Header()
        yield Static(id="board", markup=False)
        yield RichLog(id="story", wrap=True)
        yield Label(self.texts["wait"], id="asked", markup=False)
        yield OptionList(id="moves", markup=False)
        yield Input(placeholder=self.texts["write"], id="write")
        yield Footer()

    def on_mount(self) -> None:
        self.refresh_game()
        self.listen()

    def action_back(self) -> None:
        """Go back to the games."""
        self.app.pop_screen()

    @work(group="stream")
    async def listen(self) -> None:
        """Look again whenever the stream tells of this game."""
        async for message in self.darbar.stream():
            if message.kind in ("ready", "reset") or message.data.get("game") == self.game:
                self.refresh_game()

    @work(exclusive=True, group="look")
    async def refresh_game(self) -> None:
        """Read what is new, and show it."""
        try:
            await self._look()
        except DarbarError as error:
            self._say_refusal(error)

    async def _look(self) -> None:
        game = await self.darbar.get_game(self.game)
        self.is_over = game.get("state") in ("over", "cancelled")
        names = {seat["seat"]: seat["name"] for seat in game["seats"]}
        await self._tell_story()
        await self._tell_chat(names)
        if game.get("state") in ("running", "over"):
            view: Mapping[str, Any] = dict(await self.darbar.get_view(self.game))
            self.query_one("#board", Static).update("\n".join(board(view, names, self.texts)))
        else:
            seats = ", ".join(names.values())
            self.query_one("#board", Static).update(f"{self.texts.state(str(game.get('state')))}: {seats}")
        questions = [] if self.is_over else await self.darbar.list_game_questions(self.game)
        self._show_question(questions[0] if questions else None)

    async def _tell_story(self) -> None:
        story, more = self.query_one("#story", RichLog), True
        while more:
            page = await self.darbar.list_events(self.game, after=self.told)
            for event in page["events"]:
                self.told = event["number"]
                if event["text"]:
                    story.write(event["text"])
            more = page["more"]

    async def _tell_chat(self, names: Mapping[int, str]) -> None:
        page = await self.darbar.list_chat_messages(self.game, after=self.read or None)
        for message in page["messages"]:
            self.read = message["id"]
            self.query_one("#story", RichLog).write(f"{names.get(message['seat'], '?')}: {message['text'] or '…'}")

    def _show_question(self, question: types.Question | None) -> None:
        moves, label = self.query_one("#moves", OptionList), self.query_one("#asked", Label)
        waiting = self.texts["over"] if self.is_over else self.texts["wait"]
        label.update(waiting if question is None else self.texts["choose"])
        if question is not None and self.question is not None and question["id"] == self.question["id"]:
            return
        self.question = question
        moves.clear_options()
        if question is not None:
            moves.add_options([Option(move["label"], id=str(move["number"])) for move in question["moves"]])
            moves.highlighted = 0
            moves.focus()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.question is not None:
            await self._answer(self.question, str(event.option.id))

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        event.input.clear()
        if line.startswith("/"):
            await self._chat(line.removeprefix("/").strip())
        elif line and self.question is not None:
            await self._answer(self.question, line)

    async def _answer(self, question: types.Question, text: str) -> None:
        """Send a move, and say why where it is rejected."""
        try:
            stored = await self.darbar.answer(question, text)
        except DarbarError as error:
            self._say_refusal(error)
        else:
            if stored["problem"] is not None:
                self.notify(stored["problem"]["detail"], severity="error")
        self.refresh_game()

    async def _chat(self, text: str) -> None:
        try:
            await self.darbar.send_chat_message(self.game, {"to": "all", "text": text})
        except DarbarError as error:
            self._say_refusal(error)
        self.refresh_game()

    def _say_refusal(self, error: DarbarError) -> None:
        self.notify(error.detail if isinstance(error, Refused) else str(error), severity="error")
