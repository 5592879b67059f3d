"""Addresses of other servers from environment variables: database, broker, mail, Sentry."""

import re
from importlib.util import find_spec
from typing import Any, Final

import environ
from django.core.exceptions import ImproperlyConfigured

from config.environment.keys import SHORTEST_SECRET
from config.environment.values import require_scheme, text

BROKERS: Final = ("amqp", "amqps", "redis", "rediss", "memory")
DATABASES: Final = ("postgres", "postgresql", "pgsql", "psql")
WEBHOOKS: Final = (
    ("mailersend", "inbound", "inbound_secret", "MAILERSEND_INBOUND_SECRET"),
    ("mailersend", "tracking", "signing_secret", "MAILERSEND_SIGNING_SECRET"),
    ("mailgun", "inbound", "webhook_signing_key", "MAILGUN_WEBHOOK_SIGNING_KEY"),
    ("mailgun", "tracking", "webhook_signing_key", "MAILGUN_WEBHOOK_SIGNING_KEY"),
    ("mailjet", "inbound", "webhook_secret", "MAILJET_WEBHOOK_SECRET"),
    ("mailjet", "tracking", "webhook_secret", "MAILJET_WEBHOOK_SECRET"),
    ("mandrill", "both", "webhook_key", "MANDRILL_WEBHOOK_KEY"),
    ("postal", "inbound", "webhook_key", "POSTAL_WEBHOOK_KEY"),
    ("postal", "tracking", "webhook_key", "POSTAL_WEBHOOK_KEY"),
    ("postmark", "inbound", "webhook_secret", "POSTMARK_WEBHOOK_SECRET"),
    ("postmark", "tracking", "webhook_secret", "POSTMARK_WEBHOOK_SECRET"),
    ("sparkpost", "inbound", "webhook_secret", "SPARKPOST_WEBHOOK_SECRET"),
    ("sparkpost", "tracking", "webhook_secret", "SPARKPOST_WEBHOOK_SECRET"),
)
"""For each mail provider and kind of request: anymail's option with the secret, and the environment variable."""


def database(name: str) -> dict[str, Any] | None:
    """Return Django's settings of the PostgreSQL database at a URL, or None if unset. Raises ImproperlyConfigured."""
    url = text(name)
    if not url:
        return None
    require_scheme(name, url, DATABASES, "postgres://user:password@host:5432/name")
    try:
        config = environ.Env.db_url_config(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from error
    if not config["NAME"]:
        raise ImproperlyConfigured(f"{name} must name a database, as in postgres://user:password@host:5432/name.")
    return dict(config)


def sentry_dsn(name: str) -> str:
    """Return the address of a Sentry project, or an empty string if unset.

    Raises ImproperlyConfigured if it is invalid or the library is not installed.
    """
    dsn = text(name).strip()
    if dsn and not re.fullmatch(r"https?://[^@/\s]+@[^/\s]+/\S+", dsn):
        raise ImproperlyConfigured(f"{name} must be a DSN such as https://key@sentry.example/7, not {dsn!r}.")
    if dsn and find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(f"{name} needs the library sentry-sdk: install darbar[errors], or unset it.")
    return dsn


def collector(name: str) -> str:
    """Return the address of a trace collector, or an empty string if unset.

    Raises ImproperlyConfigured if it is invalid or the libraries are not installed.
    """
    url = text(name).strip()
    if url and not re.fullmatch(r"https?://[^@/\s]+/\S+", url):
        raise ImproperlyConfigured(f"{name} must be an address such as http://127.0.0.1:4318/v1/traces, not {url!r}.")
    if url and find_spec("opentelemetry") is None:
        raise ImproperlyConfigured(f"{name} needs OpenTelemetry's libraries: install darbar[traces], or unset it.")
    return url


def broker(name: str) -> str:
    """Return the URL of a broker, or an empty string if unset. Raises ImproperlyConfigured."""
    url = text(name)
    if url:
        require_scheme(name, url, BROKERS, "redis://localhost:6379/0 or amqp://localhost")
    return url


def mail(name: str) -> dict[str, Any]:
    """Return Django's mail settings for a URL, or an empty dict if unset. Raises ImproperlyConfigured."""
    url = text(name)
    if not url:
        return {}
    schemes = tuple(environ.Env.EMAIL_SCHEMES)
    require_scheme(name, url, schemes, "smtp://user:password@host:25, smtp+tls:// (STARTTLS) or smtp+ssl://")
    try:
        config = environ.Env.email_url_config(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from error
    if unknown := sorted(config.pop("OPTIONS", {})):
        raise ImproperlyConfigured(f"{name} has no option {unknown[0].lower()}.")
    return {key: value for key, value in config.items() if value not in (None, "")}


def mail_webhooks() -> dict[tuple[str, str], dict[str, str]]:
    """Return the secrets that authenticate the requests of mail providers, by provider and kind of request.

    Raises ImproperlyConfigured for a secret that is too short, or a password without a user.
    """
    options = {(provider, kind): {option: _webhook_secret(name)} for provider, kind, option, name in WEBHOOKS}
    return {request: secret for request, secret in options.items() if any(secret.values())}


def _webhook_secret(name: str) -> str:
    secret = text(name).strip()
    if secret and len(secret) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} must have at least {SHORTEST_SECRET} characters.")
    if secret and name.endswith("_WEBHOOK_SECRET") and not re.fullmatch(r"[^:\s]+:[^:\s]+", secret):
        raise ImproperlyConfigured(f"{name} must be a user and a password, as in darbar:a-long-random-password.")
    return secret
