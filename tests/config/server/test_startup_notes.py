"""The messages of the start to the operator."""

from typing import Any

import pytest

from config.server.runner import startup_notes


@pytest.mark.parametrize(
    ("mailbox", "server", "is_said"), [(False, "", True), (False, "mx.example.org", False), (True, "", False)]
)
def test_the_start_says_when_nobody_vouches_for_the_senders_of_emails(
    settings: Any, mailbox: bool, server: str, is_said: bool
) -> None:
    settings.MAILBOX, settings.AUTHENTICATION_SERVER = mailbox, server
    notes = [note for note in startup_notes(None) if "AUTHENTICATION_SERVER" in note]
    assert [len(note.splitlines()) for note in notes] == [1] * is_said
    assert all("senders of emails are not checked" in note for note in notes)


def test_the_start_names_a_misspelt_setting(settings: Any) -> None:
    settings.MISSPELT_SETTINGS = [("PUBLIC_UR", "PUBLIC_URL")]
    assert "PUBLIC_UR is no setting: do you mean PUBLIC_URL?" in list(startup_notes(None))
