"""The mail server: ``python -m config.processes.mail``."""

import asyncio

import django
from django.utils.module_loading import import_string

from config.embedded import lifeline


def main() -> None:
    """Take mail until told to end."""
    lifeline.watch()
    django.setup()
    import_string("config.database.fitness.FITNESS").begin()
    serve = import_string("games.mail.smtp_server.serve")  # by name: models can be imported only now
    asyncio.run(serve())
    lifeline.leave()


if __name__ == "__main__":
    main()
