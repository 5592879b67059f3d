"""Memory settings of a process that has read its modules."""

import gc
from typing import Final

OFTEN: Final = (30_000, 20, 20)
"""After so many new objects, and rounds, the collector of cycles looks: in the midst of no batch of moves."""


def postpone_collection() -> None:
    """Let the collector of cycles rest until ``freeze_modules``: while modules are read, hardly anything is garbage."""
    gc.disable()


def freeze_modules() -> None:
    """Freeze what was read at the start and collect garbage less often: the collector looks at new objects only.

    To walk through that took 0.1 s, in the midst of some request or batch.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN)
    gc.enable()
