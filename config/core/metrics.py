"""Metrics for Prometheus, which ``config.server.metrics`` serves if METRICS_PORT is set.

Labels are routes, channels and outcomes, never people or games. Without METRICS_PORT, counting costs a microsecond.
"""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

REQUESTS: Final = Counter("darbar_requests", "Requests that were answered.", ["route", "method", "status"])
REQUEST_SECONDS: Final = Histogram(
    "darbar_request_seconds", "Seconds from a request's thread to its answer.", ["method"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)  # fmt: skip
MOVES: Final = Counter("darbar_moves", "Moves that were resolved.", ["via", "outcome"])
DEADLINE_SECONDS_LATE: Final = Histogram(
    "darbar_deadline_seconds_late", "Seconds after a deadline at which its default move was played.",
    buckets=(10, 12, 15, 20, 30, 60, 120, 300, 900, 3600),
)  # fmt: skip
# The lateness of default moves includes the ten seconds of grace that every deadline has.
NOTIFICATIONS: Final = Counter("darbar_notifications", "Attempts to deliver notifications.", ["channel", "outcome"])
MAILS_RECEIVED: Final = Counter("darbar_mails_received", "Emails that came in.")
STREAM_LISTENERS: Final = Gauge("darbar_stream_listeners", "Open event streams.", multiprocess_mode="livesum")
