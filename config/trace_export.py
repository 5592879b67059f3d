"""Export of traces to a collector of OpenTelemetry, where ``TRACES_URL`` is set."""

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

from config import traces
from config.logs import REQUEST_ID
from config.traces import Attributes

_FORMAT: Final = TraceContextTextMapPropagator()
_HEADER: Final = "traceparent"
_PATIENCE: Final = 5
"""Seconds that a collector has to answer."""


def begin(url: str) -> None:
    """Send all spans to a collector from now on, from a thread of its own."""
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "darbar"}), shutdown_on_exit=True)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url, timeout=_PATIENCE)))
    traces.SWITCH.tracing = OpenTelemetry(provider.get_tracer("darbar"))


class OpenTelemetry:
    """Spans as OpenTelemetry has them."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    @contextmanager
    def span(
        self, name: str, attributes: Attributes, parent: str | None, *, begins: bool
    ) -> Iterator[traces.Span | None]:
        """A span. Of an error that ends it only the kind is told: its message may quote a hand."""
        context = _FORMAT.extract({_HEADER: parent}) if parent else None
        if not (begins or parent or trace.get_current_span().get_span_context().is_valid):
            yield None
            return
        told = _about_request() | {f"darbar.{key}": value for key, value in attributes.items()}
        with self._tracer.start_as_current_span(
            name, context, attributes=told, record_exception=False, set_status_on_exception=False
        ) as kept:
            try:
                yield _Span(kept)
            except Exception as error:
                kept.set_attribute("error.type", type(error).__name__)
                kept.set_status(Status(StatusCode.ERROR))
                raise

    def carrier(self) -> str | None:
        """Return the header of the present trace (W3C Trace Context)."""
        written: dict[str, str] = {}
        _FORMAT.inject(written)
        return written.get(_HEADER)


class _Span:
    def __init__(self, kept: trace.Span) -> None:
        self._kept = kept

    def tell(self, name: str, **attributes: str | int) -> None:
        self._kept.update_name(name)
        self._kept.set_attributes({f"darbar.{key}": value for key, value in attributes.items()})


def _about_request() -> dict[str, str | int]:
    """The id by which the log names the request."""
    return {"darbar.request": request} if (request := REQUEST_ID.get()) else {}
