"""The import of the modules of all processes, before the runner forks them."""

import importlib
from typing import Final

import django
from django.conf import settings
from django.urls import get_resolver
from django.utils.translation import trans_real

from config.core import processes
from config.core.database import schema

_MODULES: Final = (
    *(f"config.processes.{name}" for name in ("web", "worker", "mail", "stream", "metrics", "prepare")),
    "celery.apps.worker",
    "config.http.server.gateway",
    "config.http.stream.event_stream",
    "games.mail.intake.smtp_server",
    "games.operations.exporter",
)


def import_modules() -> None:
    """Import all modules that any process needs."""
    processes.postpone_collection()
    django.setup()
    get_resolver().url_patterns  # noqa: B018 - imports the pages and the API
    for name in (*_MODULES, *(path.rpartition(".")[0] for path in settings.MIDDLEWARE)):
        importlib.import_module(name)
    importlib.import_module("config.core.tasks").app.loader.import_default_modules()  # the tasks
    schema.own_migrations()
    for language, _ in settings.LANGUAGES:
        trans_real.translation(language)
    processes.freeze_modules()
