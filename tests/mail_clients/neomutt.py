"""NeoMutt in a terminal of tmux: the keys that a person presses."""

import subprocess
import time
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from tests.mail_clients.servers import PEOPLE, template
from tests.server.darbar import wait_until

_EMPTY: Final = "C-u"
"""The key that clears the input line."""
_EDITOR: Final = """#!/bin/sh
# Puts the answer above what is quoted, as people write it.
cat {answer} "$1" > {answer}.whole
cat {answer}.whole > "$1"
"""


class NeoMutt:
    """NeoMutt with the mail of one person."""

    name = "neomutt"

    def __init__(self, folder: Path, person: str, mail: Path, port: int) -> None:
        self.folder = folder / "neomutt"
        self.folder.mkdir()
        self.answer = self.folder / "answer"
        editor = self.folder / "editor"
        editor.write_text(_EDITOR.format(answer=self.answer))
        editor.chmod(0o755)
        about = {"mail": mail, "port": port, "address": f"{person.lower()}@{PEOPLE}", "name": person}
        (self.folder / "muttrc").write_text(template("muttrc").format(**about, domain=PEOPLE, editor=editor))
        self.socket = f"darbar-{folder.name}"
        self._tmux("new-session", "-d", "-x", "120", "-y", "40", f"neomutt -n -F {self.folder / 'muttrc'}")
        wait_until(lambda: "NeoMutt" in self.screen(), "NeoMutt is open", 20)

    def write(self, to: str, subject: str, text: str) -> None:
        self.answer.write_text(f"{text}\n")
        self._press("m", f"{to}\n", f"{subject}\n", until="Compose")
        self._send()

    def reply(self, mail: EmailMessage, text: str) -> None:
        self.answer.write_text(f"{text}\n\n")
        message_id = str(mail["Message-ID"]).strip().strip("<>")
        wait_until(lambda: self._shows(message_id), "NeoMutt shows the email", 30)
        self._press("r", until="Compose")
        self._send()
        self._press("l", _EMPTY, "~A\n")

    def screen(self) -> str:
        """Return the text of the screen."""
        return self._tmux("capture-pane", "-p")

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], check=False, capture_output=True)

    def _shows(self, message: str) -> bool:
        """Return whether the list holds nothing but this email, now."""
        self._press("l", _EMPTY, f"~i {message}\n")
        time.sleep(0.3)
        return "Msgs:1" in self.screen()

    def _send(self) -> None:
        self._press("y")
        wait_until(lambda: "Mail sent" in self.screen() or "Compose" not in self.screen(), "NeoMutt has sent", 30)

    def _press(self, *keys: str, until: str = "") -> None:
        for key in keys:
            if key == _EMPTY:
                self._tmux("send-keys", key)
                continue
            self._tmux("send-keys", "-l", key.rstrip("\n"))
            if key.endswith("\n"):
                self._tmux("send-keys", "Enter")
            time.sleep(0.2)
        if until:
            self._wait_for(until)

    def _wait_for(self, text: str) -> None:
        try:
            wait_until(lambda: text in self.screen(), f"NeoMutt shows {text}", 20)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.screen()}") from error

    def _tmux(self, *command: str) -> str:
        finished = subprocess.run(["tmux", "-L", self.socket, *command], check=True, capture_output=True, text=True)
        return finished.stdout
