"""Failures as the log may tell them."""

import traceback


def describe(error: BaseException) -> str:
    """Kind and place of an error, without its message: that may quote what only the reader may know."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}, {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
