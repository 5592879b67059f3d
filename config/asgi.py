"""The door for streams."""

import os

from django.core.asgi import get_asgi_application

from config import lifeline

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
lifeline.watch()
application = get_asgi_application()
