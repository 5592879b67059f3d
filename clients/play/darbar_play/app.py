"""The program: who plays, on which server, in which language."""

from typing import ClassVar, Final

from darbar_client import AsyncDarbar
from textual.app import App
from textual.binding import Binding, BindingType

from darbar_play.lobby import Lobby
from darbar_play.login import LogIn
from darbar_play.texts import Texts

_STYLES: Final = """
#board { height: auto; max-height: 45%; padding: 0 1; border: round $primary; }
#story { height: 1fr; padding: 0 1; }
#asked { height: auto; padding: 0 1; text-style: bold; }
#moves { height: auto; max-height: 40%; }
#login, #form { padding: 1 2; height: auto; }
"""


class PlayApp(App[None]):
    """Darbar in a terminal."""

    CSS: ClassVar[str] = _STYLES
    TITLE: str | None = "Darbar"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "⏻"),
        Binding("f", "other_language", "فارسی / English"),
    ]

    def __init__(self, url: str, token: str = "", language: str = "en") -> None:
        super().__init__()
        self.url = url
        self.texts = Texts(language)
        self.darbar = AsyncDarbar(url, token, language=language)

    def on_mount(self) -> None:
        self.push_screen(Lobby(self.texts, self.darbar) if self.darbar.token else LogIn(self.texts, self.darbar))

    async def on_log_in_done(self, finished: LogIn.Done) -> None:
        await self._begin(finished.token)

    async def action_other_language(self) -> None:
        """Begin again in the other language."""
        self.texts = Texts(self.texts.other)
        await self._begin(self.darbar.token)

    async def _begin(self, token: str) -> None:
        """Show the first screen, in the present language."""
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        await self.darbar.close()
        self.darbar = AsyncDarbar(self.url, token, language=self.texts.language)
        self.on_mount()

    async def on_unmount(self) -> None:
        await self.darbar.close()
