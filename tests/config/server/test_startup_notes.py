"""The messages of the start to the operator."""

import json
from typing import Any

import pytest

from config.server.runner import print_sentence, startup_notes


@pytest.mark.parametrize(
    ("mailbox", "server", "is_said"), [(False, "", True), (False, "mx.example.org", False), (True, "", False)]
)
def test_the_start_says_when_nobody_vouches_for_the_senders_of_emails(
    settings: Any, mailbox: bool, server: str, is_said: bool
) -> None:
    settings.MAILBOX, settings.AUTHENTICATION_SERVER = mailbox, server
    notes = [note for note in startup_notes(None) if "AUTHENTICATION_SERVER" in note]
    assert [len(note.splitlines()) for note in notes] == [1] * is_said
    assert all("doesn’t check who sent an email" in note for note in notes)


def test_the_start_names_a_misspelt_setting(settings: Any) -> None:
    settings.MISSPELT_SETTINGS = [("PUBLIC_UR", "PUBLIC_URL")]
    assert "PUBLIC_UR isn’t a setting. Do you mean PUBLIC_URL?" in list(startup_notes(None))


def test_the_lines_of_the_runner_are_json_like_those_of_the_log(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.LOG_FORMAT = "json"
    print_sentence("config.server.web has ended (1) and is being restarted.")
    line = json.loads(capsys.readouterr().out)
    assert line.pop("time").endswith("+00:00")
    assert (line["level"], line["logger"]) == ("info", "config.server.runner")
    assert line["message"] == "config.server.web has ended (1) and is being restarted."
