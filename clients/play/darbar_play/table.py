"""The screen of a game: its board, its story and its question."""

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
    """A game as its player sees it. Messages of the stream keep it up to date."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "←")]

    def __init__(self, texts: Texts, darbar: AsyncDarbar, game: str) -> None:
        super().__init__()
        self.texts, self.darbar, self.game = texts, darbar, game
        self.last_event = 0
        """The number of the last event that the story shows."""
        self.last_message = ""
        """The id of the last chat message that the story shows."""
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
        """Read the game again whenever the stream has a message about it."""
        async for message in self.darbar.follow_events():
            if message.kind in ("ready", "reset") or message.data.get("game") == self.game:
                self.refresh_game()

    @work(exclusive=True, group="look")
    async def refresh_game(self) -> None:
        """Read the changes of the game, and show them."""
        try:
            await self._look()
        except DarbarError as error:
            self._say_refusal(error)

    async def _look(self) -> None:
        game = await self.darbar.get_game(self.game)
        names = {seat["seat"]: seat["name"] for seat in game["seats"]}
        later_events = await self.darbar.list_events(self.game, after=self.last_event)
        events = [event async for event in self.darbar.results(later_events)]
        later_messages = await self.darbar.list_chat_messages(self.game, after=self.last_message or None)
        messages = [message async for message in self.darbar.results(later_messages)]
        lines = [f"{self.texts.state(str(game.get('state')))}: {', '.join(names.values())}"]
        if game.get("state") in ("running", "over"):
            view: Mapping[str, Any] = dict(await self.darbar.get_view(self.game))
            lines = board(view, names, self.texts)
        is_over = game.get("state") in ("over", "cancelled")
        questions = [] if is_over else (await self.darbar.list_game_questions(self.game))["results"]
        if not self.query("#board"):  # the screen was left during a request, and its widgets are gone
            return
        self.is_over = is_over
        self._show_story(events, messages, names)
        self.query_one("#board", Static).update("\n".join(lines))
        self._show_question(questions[0] if questions else None)

    def _show_story(
        self, events: list[types.ShownEvent], messages: list[types.ChatMessage], names: Mapping[int, str]
    ) -> None:
        story = self.query_one("#story", RichLog)
        for event in events:
            self.last_event = event["number"]
            if event["text"]:
                story.write(event["text"])
        for message in messages:
            self.last_message = message["id"]
            story.write(f"{names.get(message['seat'], '?')}: {message['text'] or '…'}")

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
        """Send a move, and show the reason if it is rejected."""
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
