"""A cast with addresses, a mail server, and a server that is posted to."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from bench.ports import free_port
from tests.notifications.mail_server import MailServer
from tests.notifications.outgoing.receiver import Receiver, receiving
from tests.notifications.sink import Sink


@pytest.fixture
def sink(settings: Any) -> Iterator[Sink]:
    """A mail server on this machine, to which the settings point."""
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = free_port()
    settings.EMAIL_TIMEOUT = 10
    server = Sink(settings.EMAIL_PORT)
    controller = MailServer(server, server.port)
    controller.start()
    yield server
    controller.stop()


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A server on this machine, which may be posted to."""
    settings.OUTGOING_LOOPBACK = True
    with receiving() as server:
        yield server
