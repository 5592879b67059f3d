"""The mail server: ``python -m config.mail``."""

import asyncio

import django
from django.utils.module_loading import import_string

from config import lifeline


def main() -> None:
    """Take mail until told to end."""
    lifeline.watch()
    django.setup()
    import_string("games.play.fitness.FITNESS").begin()
    serve = import_string("games.post.listener.serve")  # by name: models can be imported only now
    asyncio.run(serve())
    lifeline.leave()


if __name__ == "__main__":
    main()
