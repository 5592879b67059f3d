"""Tests that wait until their run is interrupted; only test_interrupted_run.py runs them."""

import tempfile
import time
from pathlib import Path

import pytest

from tests.server.darbar import Darbar


@pytest.mark.django_db
def test_with_the_shared_server_of_the_run(running: Darbar) -> None:
    wait_for_the_interrupt("shared")


@pytest.mark.django_db
def test_with_a_server_of_its_own(darbar: Darbar) -> None:
    darbar.start()
    wait_for_the_interrupt("own")


def wait_for_the_interrupt(name: str) -> None:
    """Note that the server runs, and wait."""
    (Path(tempfile.gettempdir()) / name).touch()
    time.sleep(600)
