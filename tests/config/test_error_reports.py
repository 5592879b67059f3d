"""Reports of errors: kind and place arrive, and nothing of what an error or its surroundings say."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from config.core.logs import REQUEST_ID
from config.server import error_reports


class StoredTransport(Transport):
    """The network's place: keeps what would leave."""

    def __init__(self) -> None:
        super().__init__()
        self.left: list[dict[str, Any]] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        event = envelope.get_event()
        assert event is not None
        self.left.append(dict(event))


@pytest.fixture
def reports() -> Iterator[list[dict[str, Any]]]:
    """The reports that would leave the server."""
    stored = StoredTransport()
    error_reports.begin("https://key@sentry.example/7", stored)
    yield stored.left
    sentry_sdk.init()


def test_a_report_has_the_kind_and_the_place_of_an_error_and_no_secret(reports: list[dict[str, Any]]) -> None:
    token, hand = REQUEST_ID.set("0123456789abcdef"), "duke and contessa"
    try:
        raise KeyError(f"{hand} of maryam@example.org")
    except KeyError as error:
        logging.getLogger("darbar.test").error("a game failed: %s", error, exc_info=True)
    REQUEST_ID.reset(token)
    (report,) = reports
    assert report["tags"] == {"request": "0123456789abcdef"}
    assert (report["message"], report["logger"]) == ("a game failed: KeyError", "darbar.test")
    (error_told,) = report["exception"]["values"]
    assert error_told["type"] == "KeyError"
    assert error_told["stacktrace"]["frames"][-1]["function"].startswith("test_a_report_has_the_kind")
    assert hand not in json.dumps(report, default=str)
    assert "maryam" not in json.dumps(report, default=str)
    assert not {"user", "request", "breadcrumbs", "extra", "server_name", "contexts", "modules"} & report.keys()


def test_what_is_no_error_is_not_reported(reports: list[dict[str, Any]]) -> None:
    logging.getLogger("darbar.test").warning("the broker does not answer")
    assert reports == []
