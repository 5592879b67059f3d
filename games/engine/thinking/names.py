"""The names of the levels and styles of bots (``levels.py``). Imports nothing, so that rows and forms can name them."""

from typing import Final

NORMAL: Final = "normal"
BALANCED: Final = "balanced"

LEVEL_NAMES: Final = ("easy", NORMAL, "strong", "master")
"""All levels, the weakest first."""

SEARCHING: Final = ("strong", "master")
"""The levels of bots that think ahead, which may take seconds."""

STYLES: Final = (BALANCED, "bold", "patient", "vengeful", "scholar")
"""All styles. A game defines the preferences of each (``Search.fondness``)."""
