"""The pages from outside: TLS, the proxy, and the event stream."""

import json
import socket
import ssl
import time
from collections.abc import Iterator
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, build_opener

from django.conf import settings

from games.operations.doctor.findings import Finding, ok, unchecked, wrong

PATIENCE: Final = 10.0
SOON: Final = 14
"""Days of validity below which the renewal of a certificate has failed."""
_DAY: Final = 86_400


class _NoRedirects(HTTPErrorProcessor):
    """An opener that returns redirects instead of following them."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def check_tls() -> Iterator[Finding]:
    """Check that the certificate is trusted and is renewed in time."""
    parts = urlsplit(settings.PUBLIC_URL)
    if parts.scheme != "https":
        address = f"PUBLIC_URL is {settings.PUBLIC_URL}."
        if settings.ON_LOOPBACK:
            yield unchecked("TLS", f"{address} Nobody but this machine can reach it.")
        else:
            yield wrong(
                "TLS", f"{address} Passwords cross the network in clear.", "Get a certificate, and set https://."
            )
        return
    host = parts.hostname or ""
    try:
        ends = _certificate_ends(host, parts.port or 443)
    except ssl.SSLCertVerificationError as error:
        yield wrong("TLS", f"The certificate of {host} is not believed: {error.verify_message}.", "Renew it.")
    except OSError as error:
        yield wrong(
            "TLS", f"{host} cannot be reached: {error.strerror or error}.", "Start the proxy, and open its port."
        )
    else:
        days = int((ends - time.time()) // _DAY)
        if days < SOON:
            yield wrong("TLS", f"The certificate of {host} ends in {days} days.", "Find out why it was not renewed.")
        else:
            yield ok("TLS", f"The certificate of {host} holds for {days} days.")


def _certificate_ends(host: str, port: int) -> float:
    with (
        socket.create_connection((host, port), PATIENCE) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=host) as connection,
    ):
        return ssl.cert_time_to_seconds(str((connection.getpeercert() or {})["notAfter"]))


def check_pages() -> Iterator[Finding]:
    """Check that Darbar answers at ``PUBLIC_URL``, and that no sign of health is red."""
    url = f"{settings.PUBLIC_URL}/healthz"
    try:
        status, _, body = _get(url)
        health = json.loads(body)
        red = list(health["red"])
    except OSError as error:
        yield wrong("pages", f"{url} does not answer: {error}.", "Start Darbar, and the proxy before it.")
    except (ValueError, KeyError, TypeError):
        yield wrong("pages", f"{url} is answered by something else ({status}).", "Have the proxy lead to PORT.")
    else:
        if red:
            yield wrong(
                "pages", f"Signs of health are red: {', '.join(red)}.", "See what docs/operating.md says of each."
            )
        else:
            yield ok("pages", f"Darbar answers at {settings.PUBLIC_URL}, and all signs of health are green.")
    if settings.HTTPS and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        yield wrong(
            "proxy",
            "TRUSTED_PROXIES is 0, and TLS needs a proxy: all people count as one address.",
            "Set TRUSTED_PROXIES to the number of your proxies.",
        )


def check_stream() -> Iterator[Finding]:
    """Check that requests for the event stream reach its port."""
    url = f"{settings.STREAM_URL}/api/v1/stream/"
    try:
        status, headers, body = _get(url)
    except OSError as error:
        yield wrong("stream", f"{url} does not answer: {error}.", "Start the event stream, and lead its path there.")
        return
    if status == 401 and "location" not in headers and _is_ours(body):
        yield ok("stream", f"The event stream answers at {url}.")
    else:
        yield wrong(
            "stream", f"{url} answers {status}, which is not the event stream.", "Lead this path to STREAM_PORT."
        )


def _is_ours(body: bytes) -> bool:
    """Return whether Darbar asks for a token in a body, and not a proxy for a password."""
    try:
        return bool(json.loads(body)["code"] == "unauthenticated")
    except (ValueError, KeyError, TypeError):
        return False


def _get(url: str) -> tuple[int, set[str], bytes]:
    """Return the status, the header names and the beginning of the body of an answer. Raises OSError."""
    try:
        with build_opener(_NoRedirects).open(url, timeout=PATIENCE) as answer:
            return answer.status, {name.lower() for name in answer.headers}, answer.read(100_000)
    except HTTPError as error:
        return error.code, set(), b""
