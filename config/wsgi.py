"""The door for requests and answers."""

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from django.utils.module_loading import import_string

from config.embedded import parent_watch
from config.processes import memory

parent_watch.watch()
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - what cannot be imported is to show now, not at the first request
import_string("config.database.database_checks.DATABASE_CHECKS").start()
memory.freeze_modules()
