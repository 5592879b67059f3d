"""The modules of all processes, read before the runner forks them."""

import gc
import importlib
from typing import Final

import django
from django.urls import get_resolver

from config.processes import memory

_MODULES: Final = (
    *(f"config.processes.{name}" for name in ("web", "worker", "mail", "stream", "metrics", "prepare")),
    "config.http.server.gateway",
    "config.http.stream.event_stream",
    "games.mail.intake.smtp_server",
    "games.operations.exporter",
)


def read_modules() -> None:
    """Read all that any process needs. The collector of cycles rests meanwhile: nothing of it is garbage."""
    gc.disable()
    django.setup()
    get_resolver().url_patterns  # noqa: B018 - reads the pages and the API
    for name in _MODULES:
        importlib.import_module(name)
    memory.freeze_modules()
    gc.enable()
