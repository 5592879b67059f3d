"""The web server: ``python -m config.web``."""

from django.conf import settings
from granian import Granian
from granian.constants import Interfaces

from config import lifeline


def main() -> None:
    """Serve until told to end."""
    lifeline.watch()
    Granian(
        "config.wsgi:application",
        address=settings.LISTEN,
        port=settings.PORT,
        interface=Interfaces.WSGI,
        blocking_threads=settings.WEB_THREADS,
        workers_kill_timeout=5,
        log_level="error",
        log_dictconfig=settings.LOGGING,
    ).serve()


if __name__ == "__main__":
    main()
