"""The screen that asks who plays."""

from dataclasses import dataclass

from darbar_client import AsyncDarbar, DarbarError, types
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Footer, Header, Input

from darbar_play.texts import Texts


class LogIn(Screen[None]):
    """Takes an address and a password, and gets a token for them."""

    @dataclass
    class Done(Message):
        """There is a token."""

        token: str

    def __init__(self, texts: Texts, darbar: AsyncDarbar) -> None:
        super().__init__()
        self.texts, self.darbar = texts, darbar

    def compose(self) -> ComposeResult:
        yield Header()
        with Vertical(id="login"):
            yield Input(placeholder=self.texts["email"], id="email")
            yield Input(placeholder=self.texts["password"], password=True, id="password")
            yield Input(placeholder=self.texts["otp"], id="otp")
            yield Button(self.texts["log-in"], variant="primary", id="log-in")
        yield Footer()

    async def on_button_pressed(self) -> None:
        await self._log_in()

    async def on_input_submitted(self) -> None:
        await self._log_in()

    async def _log_in(self) -> None:
        values = {name: self.query_one(f"#{name}", Input).value.strip() for name in ("email", "password", "otp")}
        request: types.TokenRequest = {
            "email": values["email"],
            "password": values["password"],
            "name": "darbar-play",
            "scopes": ["games:read", "games:play", "chat"],
        }
        if values["otp"]:
            request["otp"] = values["otp"]
        try:
            issued = await self.darbar.create_token(request)
        except DarbarError as error:
            self.notify(getattr(error, "detail", str(error)), severity="error")
        else:
            self.post_message(self.Done(issued["token"]))
