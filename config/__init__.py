"""The project's settings, and the server that runs its applications."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("NOSETPS", "1")  # else Celery gives its process a name of its own
