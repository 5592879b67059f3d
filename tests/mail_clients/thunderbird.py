"""Thunderbird, headless: its own windows write and reply, told to over Marionette, the door that its tests use."""

import json
import os
import socket
import subprocess
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

from bench.ports import free_port
from tests.mail_clients.servers import PASSWORD, PEOPLE, answers, template
from tests.server.darbar import wait_until

_LOGIN: Final = """
const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
login.init("imap://127.0.0.1", null, "imap://127.0.0.1", arguments[0], arguments[1], "", "");
Services.logins.addLoginAsync(login).then(() => done("ok"), error => done(String(error)));
"""
_COMMON: Final = """
const done = arguments[arguments.length - 1];
const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
const account = MailServices.accounts.defaultAccount;
const identity = account.defaultIdentity;
const sent = (how) => new Promise((resolve, reject) => {
  const watch = { observe(window) {
    Services.ww.unregisterNotification(watch);
    window.addEventListener("compose-editor-ready", () => window.setTimeout(async () => {
      try {
        const editor = window.gMsgCompose.editor;
        how(window, editor);
        window.gMsgCompose.addMsgSendListener({
          QueryInterface: ChromeUtils.generateQI(["nsIMsgSendListener"]),
          onStartSending() {}, onProgress() {}, onStatus() {}, onGetDraftFolderURI() {}, onSendNotPerformed() {},
          onTransportSecurityError() {},
          onStopSending(id, status) { status ? reject(new Error(`status ${status}`)) : resolve("ok"); },
        });
        window.goDoCommand("cmd_sendNow");
      } catch (error) { reject(error); }
    }, 300), { once: true });
  }};
  Services.ww.registerNotification(watch);
});
"""
_WRITE: Final = """
const [to, subject, text] = arguments;
const promise = sent((window, editor) => editor.insertText(text));
const fields = Cc["@mozilla.org/messengercompose/composefields;1"].createInstance(Ci.nsIMsgCompFields);
fields.to = to; fields.subject = subject;
const params = Cc["@mozilla.org/messengercompose/composeparams;1"].createInstance(Ci.nsIMsgComposeParams);
params.composeFields = fields; params.identity = identity;
params.type = Ci.nsIMsgCompType.New; params.format = Ci.nsIMsgCompFormat.Default;
MailServices.compose.OpenComposeWindowWithParams(null, params);
promise.then(done, error => done(String(error)));
"""
_REPLY: Final = """
const [id, text] = arguments;
const inbox = account.incomingServer.rootFolder.getFolderWithFlags(Ci.nsMsgFolderFlags.Inbox);
const look = (left) => {
  if (!left) { done("there is no such email"); return; }
  const found = inbox && inbox.msgDatabase.getMsgHdrForMessageID(id);
  if (!found) {
    if (inbox) inbox.getNewMessages(null, null);
    else account.incomingServer.performExpand(null);
    Services.tm.mainThread.dispatch(() => {}, 0);
    const timer = Cc["@mozilla.org/timer;1"].createInstance(Ci.nsITimer);
    timer.initWithCallback(() => look(left - 1), 500, 0);
    globalThis.kept = timer;
    return;
  }
  const promise = sent((window, editor) => editor.insertText(text));
  MailServices.compose.OpenComposeWindow(null, found, found.folder.getUriForMsg(found),
    Ci.nsIMsgCompType.ReplyToSender, Ci.nsIMsgCompFormat.Default, identity, null, null, null, false);
  promise.then(done, error => done(String(error)));
};
look(60);
"""


class Thunderbird:
    """Thunderbird with the mail of one person."""

    name = "thunderbird"

    def __init__(self, folder: Path, person: str, imap: int, smtp: int) -> None:
        profile = folder / "thunderbird"
        profile.mkdir()
        port = free_port()
        self.address = f"{person.lower()}@{PEOPLE}"
        about = {"imap": imap, "smtp": smtp, "address": self.address, "name": person, "port": port}
        (profile / "user.js").write_text(template("thunderbird.js").format(**about))
        command = [
            "thunderbird",
            "--headless",
            "--marionette",
            "-remote-allow-system-access",
            "--no-remote",
            "--profile",
            str(profile),
        ]
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "MOZ_HEADLESS": "1"}
        with (folder / "thunderbird.log").open("wb") as log:
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)
        try:
            self._log_in(port)
        except BaseException:
            self.close()
            raise

    def _log_in(self, port: int) -> None:
        wait_until(lambda: answers(port), "Thunderbird listens", 120)
        self.marionette = Marionette(port)
        assert self.marionette.run(_COMMON + _LOGIN, self.address, PASSWORD) == "ok"

    def write(self, to: str, subject: str, text: str) -> None:
        finished = self.marionette.run(_COMMON + _WRITE, to, subject, text)
        assert finished == "ok", finished

    def reply(self, mail: EmailMessage, text: str) -> None:
        finished = self.marionette.run(_COMMON + _REPLY, str(mail["Message-ID"]).strip("<> "), text)
        assert finished == "ok", finished

    def close(self) -> None:
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(20)


class Marionette:
    """A connection to Thunderbird. A message is its length, a colon and JSON."""

    def __init__(self, port: int) -> None:
        self.wire = socket.create_connection(("127.0.0.1", port), 120)
        self.file = self.wire.makefile("rb")
        self.number = 0
        self._read_message()
        self._ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})
        self._ask("WebDriver:SetTimeouts", {"script": 100_000})
        self._ask("Marionette:SetContext", {"value": "chrome"})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script, and return the argument of its callback."""
        data = {"script": script, "args": [*arguments], "sandbox": "system", "newSandbox": True}
        return self._ask("WebDriver:ExecuteAsyncScript", data)["value"]

    def _ask(self, name: str, about: dict[str, Any]) -> Any:
        self.number += 1
        dumps = json.dumps([0, self.number, name, about])
        self.wire.sendall(f"{len(dumps.encode())}:{dumps}".encode())
        _, _, error, results = self._read_message()
        assert error is None, error
        return results

    def _read_message(self) -> Any:
        length = b""
        while (byte := self.file.read(1)) != b":":
            assert byte, "Thunderbird has ended the conversation"
            length += byte
        return json.loads(self.file.read(int(length)))
