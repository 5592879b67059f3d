"""The door for requests and answers."""

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from django.utils.module_loading import import_string

from config.embedded import lifeline
from config.processes import memory

lifeline.watch()
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - what cannot be imported is to show now, not at the first request
import_string("config.database.fitness.FITNESS").begin()
memory.settle()
