"""Memory settings of a process that has read its modules."""

import gc
from typing import Final

OFTEN: Final = (30_000, 20, 20)
"""The number of new objects, and of rounds, after which the garbage collector runs: never within a batch of moves."""


def postpone_collection() -> None:
    """Let the collector of cycles rest until ``freeze_modules``: while modules are read, hardly anything is garbage."""
    gc.disable()


def freeze_modules() -> None:
    """Freeze the objects of all modules and collect garbage less often, so that the collector visits new objects only.

    Visiting all of them took 0.1 s, in the middle of a request or batch.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN)
    gc.enable()
