"""Count the emails of ``people/`` that are understood and asked back: ``python -m tests.games.mail.count_people``."""

import sys
from importlib import import_module

import_module("tests.conftest")  # before anything of Django's

import django  # noqa: E402

django.setup()

from tests.games.mail.test_people import HONEST, entries, understood  # noqa: E402


def count() -> tuple[int, int]:
    """Return the number of honest emails, and how many of their senders are asked back."""
    outcomes = [understood(question, text) for name in HONEST for question, _, text in entries(name)]
    return len(outcomes), sum(outcome.startswith("refused") for outcome in outcomes)


def main() -> None:
    """Print both numbers."""
    honest, asked_back = count()
    sys.stdout.write(f"{honest} honest emails, {honest - asked_back} understood, {asked_back} asked back\n")


if __name__ == "__main__":
    main()
