"""The door for requests and answers."""

import os

from django.core.wsgi import get_wsgi_application

from config import lifeline

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
lifeline.watch()
application = get_wsgi_application()
