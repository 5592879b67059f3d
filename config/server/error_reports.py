"""Error reports to Sentry or a compatible service, if ``SENTRY_DSN`` is set.

A report contains only the fields that are listed here, because the library also collects secrets.
"""

from typing import Any, Final

import sentry_sdk
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.transport import Transport
from sentry_sdk.types import Event, Hint

from config.core import logs

_KEPT: Final = ("event_id", "timestamp", "platform", "level", "logger", "release", "sdk")
_PLACE: Final = ("filename", "module", "function", "lineno", "in_app")


def begin(dsn: str, transport: Transport | None = None) -> None:
    """Report everything that is logged as an error from now on. Tests pass a ``transport`` instead of the network."""
    sentry_sdk.init(
        dsn,
        default_integrations=False,
        integrations=[LoggingIntegration(level=None)],
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
        before_send=report,
        transport=transport,
    )


def report(event: Event, hint: Hint) -> Event:
    """Return the report of an error: its type and stack frames, without its message."""
    report_fields: dict[str, Any] = {name: value for name, value in event.items() if name in _KEPT}
    if record := hint.get("log_record"):
        report_fields["message"] = logs.redacted_message(record)
    if request := logs.REQUEST_ID.get():
        report_fields["tags"] = {"request": request}
    values = (event.get("exception") or {}).get("values") or []
    if values:
        report_fields["exception"] = {"values": [_kind_and_places(value) for value in values]}
    return report_fields  # type: ignore[return-value]  # some fields of an event


def _kind_and_places(error: dict[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames") or []
    places = [{name: frame[name] for name in _PLACE if name in frame} for frame in frames]
    return {"type": error.get("type"), "module": error.get("module"), "stacktrace": {"frames": places}}
