"""Garbage collection in processes that have imported their modules."""

import gc
from typing import Final

OFTEN: Final = (30_000, 20, 20)
"""The thresholds of the garbage collector, which then never runs within a batch of moves."""


def postpone_collection() -> None:
    """Stop the garbage collector until ``freeze_modules``, because importing modules makes hardly any garbage."""
    gc.disable()


def freeze_modules() -> None:
    """Freeze the objects of all modules, so that the garbage collector visits new objects only, and less often."""
    # Visiting all objects took 0.1 s in the middle of a request or batch.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN)
    gc.enable()
