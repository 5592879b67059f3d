"""The door for requests and answers."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config import lifeline

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
lifeline.watch()
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - what cannot be imported is to show now, not at the first request
