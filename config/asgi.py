"""The ASGI application, for servers other than ours."""

from django.core.asgi import get_asgi_application

from config.core import processes

processes.watch_parent()
application = get_asgi_application()
