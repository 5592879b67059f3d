"""Django in the forks of the runner."""

import logging

from config.core.processes import set_up_django
from config.core.tasks import app


def test_a_process_in_which_django_is_set_up_keeps_its_logging_as_it_is() -> None:
    before = [*logging.getLogger().handlers]
    set_up_django()
    for fixup in app._fixups:
        fixup.worker_fixup.validate_models()
    assert [id(handler) for handler in logging.getLogger().handlers] == [id(handler) for handler in before]
