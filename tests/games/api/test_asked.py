"""Offers of open questions are kept once they were told, and told again when their words change."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db.models import F
from rest_framework.test import APIClient

from accounts.models import Account
from games.models import Game, OpenQuestion
from games.play import questions
from tests.games.api.conftest import client
from tests.third_game.table import create_fist, play

pytestmark = pytest.mark.django_db
ALL = "/api/v1/questions/"


def list_questions(program: APIClient, **headers: str) -> Any:
    return program.get(ALL, headers=headers).json()["results"]


@pytest.fixture
def stealing(maryam: Account, bahareh: Account, kaveh: Account) -> Game:
    """A table of Coup at which it is Maryam's turn."""
    return create_fist(maryam, bahareh, kaveh, rules="coup", options={"starting_player": 1})


def test_a_question_that_was_told_before_is_told_without_looking_into_its_game(
    maryam: Account, stealing: Game, django_assert_num_queries: Any
) -> None:
    program = client(maryam)
    first = list_questions(program)
    assert [question["id"] for question in first] == ["1.1"]
    with django_assert_num_queries(3):  # the token, the allowance, the questions
        assert list_questions(program) == first
    caches["questions"].clear()
    assert list_questions(program) == first


def test_a_question_that_is_answered_while_questions_are_read_is_not_told(maryam: Account, stealing: Game) -> None:
    rows = questions.question_rows(maryam)
    assert [row.question.id for row in questions.add_positions(rows)] == ["1.1"]
    play(stealing, 1, "income")
    assert questions.add_positions(rows) == []


def test_a_question_is_in_the_language_of_each_request(maryam: Account, stealing: Game) -> None:
    program = client(maryam)
    english, persian = (
        list_questions(program, **{"Accept-Language": language})[0]["moves"] for language in ("en", "fa")
    )
    assert [language["move"] for language in english] == [language["move"] for language in persian]
    assert all(one["label"] != other["label"] for one, other in zip(english, persian, strict=True))


def test_a_new_name_a_new_zone_and_a_new_time_are_told(maryam: Account, bahareh: Account, stealing: Game) -> None:
    program = client(maryam)
    (before,) = list_questions(program)
    bahareh.name = "Bahar"
    bahareh.save()
    (renamed,) = list_questions(program)
    assert [move["text"] for move in renamed["moves"]] == [move["text"] for move in before["moves"]]
    assert any("Bahar" in move["label"] and "Bahareh" not in move["label"] for move in renamed["moves"])
    maryam.time_zone = "Pacific/Auckland"
    maryam.save()
    (travelled,) = list_questions(program)
    assert "Auckland" in " ".join(reason["text"] for reason in travelled["why"]) or travelled == renamed
    OpenQuestion.objects.filter(game=stealing).update(due_at=F("due_at") + timedelta(hours=1))
    (moved,) = list_questions(program)
    assert [reason["code"] for reason in moved["why"]] == ["turn", "moved"]
    assert moved["why"][-1]["text"] != before["why"][-1]["text"]


def test_each_is_told_only_what_they_are_asked(maryam: Account, bahareh: Account) -> None:
    games = [create_fist(one, other) for one, other in ((maryam, bahareh), (bahareh, maryam))]
    for account, game in zip((maryam, bahareh), games, strict=True):
        assert [question["game"] for question in list_questions(client(account))] == [str(game.id)]
    play(games[0], 1, "claim 3")
    assert {(question["game"], question["kind"]) for question in list_questions(client(bahareh))} == {
        (str(games[0].id), "doubt"),
        (str(games[1].id), "turn"),
    }
