"""Replies to emails that ask several questions. A line of the reply names its question by the code of the game."""

from collections import defaultdict
from collections.abc import Mapping
from uuid import UUID

from django.db.models import Q

from games.announcements.emails import game_of, topic_of
from games.models import Game, OpenQuestion
from games.text import links
from games.text.game_words import short_code
from notifications.models import Notification


def questions_by_code(lead: Notification) -> Mapping[str, str]:
    """Return the token of the question that an email asks in each game, by the game's code.

    Leaves out codes that two games share, and games in which several questions of the email are open.
    """
    rows = Notification.objects.filter(Q(pk=lead.pk) | Q(lead=lead)).exclude(question="").order_by("created_at")
    questions: defaultdict[str, list[str]] = defaultdict(list)
    for topic, question in rows.values_list("topic", "question"):
        questions[topic].append(question)
    tokens: defaultdict[str, list[str]] = defaultdict(list)
    for game in Game.objects.filter(pk__in=map(game_of, questions)):
        for question in _open_or_last(game, questions[topic_of(game.pk)]):
            tokens[short_code(game)].append(links.question_address(game.pk, question).partition("@")[0])
    return {code: of_code[0] for code, of_code in tokens.items() if len(of_code) == 1}


def games_of(lead: Notification) -> set[UUID]:
    """Return the games in which an email asks questions."""
    rows = Notification.objects.filter(Q(pk=lead.pk) | Q(lead=lead)).exclude(question="")
    return {game_of(topic) for topic in rows.values_list("topic", flat=True)}


def _open_or_last(game: Game, questions: list[str]) -> list[str]:
    """Return the questions that are open, or the newest question if none is."""
    open_questions = OpenQuestion.objects.filter(game=game, question__in=questions).values_list("question", flat=True)
    return [*open_questions] or questions[-1:]
