"""The project's settings and the processes it runs as. Whatever imports from here runs on these settings."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("NOSETPS", "1")  # else Celery gives its process a name of its own
