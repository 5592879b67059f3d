"""Delta Chat's core, driven by JSON-RPC as its apps do: a game is a chat with Darbar."""

import sysconfig
import time
from email.message import EmailMessage
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.mail_clients.servers import PASSWORD, PEOPLE
from tests.server.darbar import wait_until


class DeltaChat:
    """Delta Chat with the mail of one person."""

    name = "delta chat"

    def __init__(self, folder: Path, person: str, imap: int, smtp: int) -> None:
        core = import_module("deltachat_rpc_client")  # not among our tools: only this game needs it
        server = Path(sysconfig.get_path("scripts")) / "deltachat-rpc-server"
        self.rpc = core.Rpc(accounts_dir=str(folder / "deltachat"), rpc_server_path=str(server))
        self.rpc.start()
        self.account = core.DeltaChat(self.rpc).add_account()
        for name, value in {"displayname": person, "bcc_self": "0", "force_encryption": "0"}.items():
            self.account.set_config(name, value)
        self.account.add_or_update_transport(_account(person, imap, smtp))
        self.account.start_io()

    def write(self, to: str, subject: str, text: str) -> None:
        self.account.create_contact(to, "Darbar").create_chat().send_text(text)

    def reply(self, mail: EmailMessage, text: str) -> None:
        messages: list[Any] = []
        number = str(mail["Message-ID"]).strip("<> ")

        def has_arrived() -> bool:
            messages[:] = [message for message in self._messages() if number in str(message.get_info())]
            return bool(messages)

        wait_until(has_arrived, f"Delta Chat shows {mail['Subject']}", 60)
        message = messages[0]
        chat = message.get_snapshot().chat
        chat.accept()
        chat.send_message(text=text, quoted_msg=message)
        time.sleep(0.2)

    def close(self) -> None:
        self.rpc.close()

    def _messages(self) -> list[Any]:
        chats = self.account.get_chatlist()
        return [message for chat in chats for message in chat.get_messages()]


def _account(person: str, imap: int, smtp: int) -> dict[str, object]:
    """Return the mail settings, without TLS because all traffic stays on this machine."""
    address = f"{person.lower()}@{PEOPLE}"
    receiving = {"imapServer": "127.0.0.1", "imapPort": imap, "imapSecurity": "plain", "imapUser": address}
    sending = {"smtpServer": "127.0.0.1", "smtpPort": smtp, "smtpSecurity": "plain", "smtpUser": address}
    return {"addr": address, "password": PASSWORD, **receiving, **sending, "smtpPassword": PASSWORD}
