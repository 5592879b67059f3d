"""The WSGI application of the web server."""

from django.core.cache import close_caches
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import reset_queries
from django.urls import get_resolver
from django.utils.module_loading import import_string

from config.core import processes
from config.core.processes import set_up_django

processes.watch_parent()
set_up_django()
application = WSGIHandler()
get_resolver().url_patterns  # noqa: B018 - a view that cannot be imported fails now, not at the first request
import_string("config.core.database.checks.DATABASE_CHECKS").start()
processes.freeze_modules()
# Both receivers look at all connections with every request. They are for the list of queries that DEBUG keeps and for
# caches that have connections, and this server has neither.
request_started.disconnect(reset_queries)
request_finished.disconnect(close_caches)
