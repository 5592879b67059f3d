"""Setting Django up in a process that may be a fork of one where it is set up."""

import django
from django.apps import apps


def set_up_django() -> None:
    """Set Django up, unless the runner did so before it forked this process.

    To do it again would configure logging anew, and write to 3 MB that all forks share.
    """
    if not apps.ready:
        django.setup()
