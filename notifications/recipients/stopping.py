"""The link in an email that stops notifications about its topics or about a larger topic that includes them.

A topic is muted. For a topic that has only one notification, its app registers here what to stop instead.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from notifications.recipients import preferences

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise


class Choice(NamedTuple):
    """A choice that stands for the topics of one prefix. It is read and made for an account and a topic."""

    is_stopped: Callable[[int, str], bool]
    change: Callable[[int, str, bool], None]
    """Given True where the notifications are wanted."""
    title: "StrOrPromise"
    """The title of the page on which it is made."""
    question: "StrOrPromise"
    """The question that this page asks before the notifications are stopped."""
    stopped: "StrOrPromise"
    """The sentence that it shows when they are."""


_CHOICES: dict[str, Choice] = {}


def register(prefix: str, choice: Choice) -> None:
    """Let a choice stand for the topics that begin so."""
    _CHOICES[prefix] = choice


def is_stopped(account: Any, topics: Collection[str]) -> bool:
    """Return whether an account wants no notifications of any of these topics."""
    muted = preferences.of(account).muted
    return all(
        topic in muted if (choice := _choice_for(topic)) is None else choice.is_stopped(account.pk, topic)
        for topic in topics
    )


def change(account: int, topics: Collection[str], *, wanted: bool) -> None:
    """Say whether an account wants notifications of these topics."""
    plain = []
    for topic in topics:
        if choice := _choice_for(topic):
            choice.change(account, topic, wanted)
        else:
            plain.append(topic)
    if plain:
        (preferences.unmute if wanted else preferences.mute)(account, plain)


def choice_for_all(topics: Collection[str]) -> Choice | None:
    """Return the choice that stands for all of these topics, if one does."""
    choices = {_choice_for(topic) for topic in topics}
    return choices.pop() if len(choices) == 1 else None


def _choice_for(topic: str) -> Choice | None:
    return next((choice for prefix, choice in _CHOICES.items() if topic.startswith(prefix)), None)
