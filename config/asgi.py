"""The door for streams."""

from django.core.asgi import get_asgi_application

from config.embedded import lifeline

lifeline.watch()
application = get_asgi_application()
