"""The ASGI application, for servers other than ours."""

from django.core.asgi import get_asgi_application

from config.embedded import parent_watch

parent_watch.watch()
application = get_asgi_application()
