"""Replies to emails that put several questions: which questions those are, by the codes of their games."""

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
    """Return the token of the question that an email puts in each game, by the game's code.

    A code that two games share is left out, and so is a game in which several of its questions are open.
    """
    rows = Notification.objects.filter(Q(pk=lead.pk) | Q(lead=lead)).exclude(question="").order_by("created_at")
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for topic, question in rows.values_list("topic", "question"):
        asked[topic].append(question)
    found: defaultdict[str, list[str]] = defaultdict(list)
    for game in Game.objects.filter(pk__in=map(game_of, asked)):
        for question in _still_open(game, asked[topic_of(game.pk)]):
            found[short_code(game)].append(links.question_address(game.pk, question).partition("@")[0])
    return {code: tokens[0] for code, tokens in found.items() if len(tokens) == 1}


def games_of(lead: Notification) -> set[UUID]:
    """Return the games whose questions an email puts."""
    rows = Notification.objects.filter(Q(pk=lead.pk) | Q(lead=lead)).exclude(question="")
    return {game_of(topic) for topic in rows.values_list("topic", flat=True)}


def _still_open(game: Game, questions: list[str]) -> list[str]:
    """Return those of the questions that are open; without any, the one that was asked last."""
    still = OpenQuestion.objects.filter(game=game, question__in=questions).values_list("question", flat=True)
    return [*still] or questions[-1:]
