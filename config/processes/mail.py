"""The mail server: ``python -m config.processes.mail``."""

import asyncio

from django.utils.module_loading import import_string

from config.embedded import parent_watch
from config.embedded.django_setup import set_up_django


def main() -> None:
    """Receive mail until the process is stopped."""
    parent_watch.watch()
    set_up_django()
    import_string("config.database.database_checks.DATABASE_CHECKS").start()
    serve = import_string("games.mail.intake.smtp_server.serve")  # models can only be imported after the setup
    asyncio.run(serve())
    parent_watch.exit_process()


if __name__ == "__main__":
    main()
