"""The number of cases of the counted tests: twenty times as much in ``make long`` as in ``make test``."""

import os
from typing import Final

LONG: Final = os.environ.get("DARBAR_LONG") == "1"
SCALE: Final = 20 if LONG else 1
