"""The setup of Django in a process that may be a fork of the runner."""

import django
from django.apps import apps


def set_up_django() -> None:
    """Set up Django, unless the runner did so before it forked this process."""
    # A second setup would configure logging again, and write to 3 MB of memory that all forks share.
    if not apps.ready:
        django.setup()
