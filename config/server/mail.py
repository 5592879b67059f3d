"""The mail server: ``python -m config.server.mail``."""

import asyncio

from django.utils.module_loading import import_string

from config.core import processes
from config.core.processes import set_up_django


def main() -> None:
    """Receive mail until the process is stopped."""
    processes.watch_parent()
    set_up_django()
    import_string("config.core.database.checks.DATABASE_CHECKS").start()
    serve = import_string("games.mail.smtp_server.serve")  # models can only be imported after the setup
    asyncio.run(serve())
    processes.exit_process()


if __name__ == "__main__":
    main()
