"""Export of traces to an OpenTelemetry collector, if ``TRACES_URL`` is set."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from config.core import traces
from config.core.logs import REQUEST_ID
from config.core.traces import Attributes

_FORMAT: Final = TraceContextTextMapPropagator()
_HEADER: Final = "traceparent"
_PATIENCE: Final = 5
"""Seconds to wait for the collector."""


def begin(url: str) -> None:
    """Send all spans to a collector from now on, in a separate thread."""
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "darbar"}), shutdown_on_exit=True)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url, timeout=_PATIENCE)))
    traces.SWITCH.tracing = OpenTelemetry(provider.get_tracer("darbar"))


class OpenTelemetry:
    """The tracing interface on top of OpenTelemetry."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    @contextmanager
    def span(
        self, name: str, attributes: Attributes, parent: str | None, *, begins: bool
    ) -> Iterator[traces.Span | None]:
        """Open a span. An error is recorded by its type only, because its message may contain a hand."""
        context = _FORMAT.extract({_HEADER: parent}) if parent else None
        if not (begins or parent or trace.get_current_span().get_span_context().is_valid):
            yield None
            return
        details = _request_attributes() | {f"darbar.{key}": value for key, value in attributes.items()}
        with self._tracer.start_as_current_span(
            name, context, attributes=details, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield _Span(span)
            except Exception as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(Status(StatusCode.ERROR))
                raise

    def carrier(self) -> str | None:
        """Return the header of the present trace (W3C Trace Context)."""
        headers: dict[str, str] = {}
        _FORMAT.inject(headers)
        return headers.get(_HEADER)


class _Span:
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def update(self, name: str, **attributes: str | int) -> None:
        self._span.update_name(name)
        self._span.set_attributes({f"darbar.{key}": value for key, value in attributes.items()})


def _request_attributes() -> dict[str, str | int]:
    """Return the id of the current request, as the log has it."""
    return {"darbar.request": request} if (request := REQUEST_ID.get()) else {}
