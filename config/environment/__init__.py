"""Settings from environment variables. An invalid value raises ImproperlyConfigured with one sentence."""

from config.environment.keys import certificates, push_key, secret, secret_list, signing_key
from config.environment.names import (
    address,
    addresses,
    domain,
    hosts,
    mail_address,
    networks,
    public_url,
    server,
    stream_url,
)
from config.environment.places import default_data_dir, folder, keep_metrics, socket
from config.environment.services import WEBHOOKS, broker, collector, database, mail, mail_webhooks, sentry_dsn
from config.environment.values import digits, flag, label, line, number, one_of, optional_number, some_of

__all__ = [
    "WEBHOOKS",
    "address",
    "addresses",
    "broker",
    "certificates",
    "collector",
    "database",
    "default_data_dir",
    "digits",
    "domain",
    "flag",
    "folder",
    "hosts",
    "keep_metrics",
    "label",
    "line",
    "mail",
    "mail_address",
    "mail_webhooks",
    "networks",
    "number",
    "one_of",
    "optional_number",
    "public_url",
    "push_key",
    "secret",
    "secret_list",
    "sentry_dsn",
    "server",
    "signing_key",
    "socket",
    "some_of",
    "stream_url",
]
