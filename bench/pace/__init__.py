"""Measures the length of games by mail: the whole server on a virtual clock, with players who sleep and forget."""

import os
import tempfile
from pathlib import Path
from typing import Final

import django
from django.apps import apps

_LEFT_OUT: Final = (
    "DATABASE_URL",
    "EMAIL_URL",
    "PUBLIC_URL",
    "ALLOWED_HOSTS",
    "LISTEN",
    "MAIL_DOMAIN",
    "OPERATOR_EMAIL",
)

if not apps.ready:
    for _name in _LEFT_OUT:
        os.environ.pop(_name, None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ |= {"DATA_DIR": tempfile.mkdtemp(prefix="darbar-pace-"), "BROKER_URL": "memory://"}
    Path(os.environ["DATA_DIR"]).chmod(0o711)
    django.setup()
