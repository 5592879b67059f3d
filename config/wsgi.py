"""The door for requests and answers."""

from django.core.cache import close_caches
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import reset_queries
from django.urls import get_resolver
from django.utils.module_loading import import_string

from config.embedded import parent_watch
from config.embedded.django_setup import set_up_django
from config.processes import memory

parent_watch.watch()
set_up_django()
application = WSGIHandler()
get_resolver().url_patterns  # noqa: B018 - what cannot be imported is to show now, not at the first request
import_string("config.database.database_checks.DATABASE_CHECKS").start()
memory.freeze_modules()
# They look at all connections with every request: one for the list of queries that DEBUG keeps, the other for caches
# that have connections of their own.
request_started.disconnect(reset_queries)
request_finished.disconnect(close_caches)
