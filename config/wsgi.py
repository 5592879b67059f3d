"""The door for requests and answers."""

import gc

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config import lifeline

lifeline.watch()
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - what cannot be imported is to show now, not at the first request

gc.collect()
gc.freeze()  # what is loaded by now stays; walking through it took 0.1 s, in the midst of some request
