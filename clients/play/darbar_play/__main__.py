"""The command ``darbar-play``."""

import argparse
import os

from darbar_play.app import PlayApp
from darbar_play.texts import LANGUAGES


def main() -> None:
    """Play, with the token of ``DARBAR_TOKEN`` or after a log-in."""
    parser = argparse.ArgumentParser(prog="darbar-play", description="Play on a Darbar server in a terminal.")
    parser.add_argument("url", help="the address of the server, such as http://localhost:8000")
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0])
    arguments = parser.parse_args()
    PlayApp(arguments.url, os.environ.get("DARBAR_TOKEN", ""), arguments.language).run()


if __name__ == "__main__":
    main()
