"""Rows by the batch: instances that are made without Django's going through their fields are like any other."""

from typing import Any

import pytest
from django.db import models

from config.core.database.rows import new
from games.models import Move, OpenQuestion
from notifications.models import Notification


def loaded_values(instance: models.Model) -> dict[str, Any]:
    """Return the column values of an instance without its id, which is always different."""
    return {
        field.attname: getattr(instance, field.attname)
        for field in instance._meta.concrete_fields
        if field.name != "id"
    }


@pytest.mark.parametrize("model", [Notification, Move, OpenQuestion])
def test_a_new_instance_holds_what_the_model_gives_it(model: type[models.Model]) -> None:
    assert loaded_values(new(model)) == loaded_values(model())
    assert new(model)._state.adding


def test_what_is_said_stands_in_place_of_what_is_usual_and_nothing_is_shared() -> None:
    first, second = (new(OpenQuestion, question=question_id, seat=1) for question_id in ("1.1", "1.2"))
    assert (first.question, second.question, first.seat, first.bot) == ("1.1", "1.2", 1, False)
    first.why.append("a reason")
    assert second.why == []
    assert new(Notification, key="a").pk != new(Notification, key="a").pk
