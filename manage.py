#!/usr/bin/env python
"""Django's commands, with the embedded database where no other is named."""

import sys

from config.server.command_line import run_django

if __name__ == "__main__":
    run_django(sys.argv)
