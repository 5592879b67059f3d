"""The link in an email that stops notifications about its topics, or about a larger subject.

Usually the topic is muted. For a topic with only one notification, its app registers here what to stop instead.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from notifications.recipients import preferences

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise


class Choice(NamedTuple):
    """A setting that replaces the muting of topics with one prefix. It is read and changed for an account and a
    topic.
    """

    is_stopped: Callable[[int, str], bool]
    change: Callable[[int, str, bool], None]
    """Called with True to start the notifications, and with False to stop them."""
    title: "StrOrPromise"
    """The title of the page."""
    question: "StrOrPromise"
    """The question on the page before the notifications are stopped."""
    stopped: "StrOrPromise"
    """The sentence on the page after they are stopped."""


_CHOICES: dict[str, Choice] = {}


def register(prefix: str, choice: Choice) -> None:
    """Register a choice for the topics with this prefix."""
    _CHOICES[prefix] = choice


def is_stopped(account: Any, topics: Collection[str]) -> bool:
    """Return whether an account wants no notifications of any of these topics."""
    muted = preferences.of(account).muted
    return all(
        topic in muted if (choice := _choice_for(topic)) is None else choice.is_stopped(account.pk, topic)
        for topic in topics
    )


def change(account: int, topics: Collection[str], *, enabled: bool) -> None:
    """Start or stop notifications about these topics for an account."""
    plain_topics = []
    for topic in topics:
        if choice := _choice_for(topic):
            choice.change(account, topic, enabled)
        else:
            plain_topics.append(topic)
    if plain_topics:
        (preferences.unmute if enabled else preferences.mute)(account, plain_topics)


def choice_for_all(topics: Collection[str]) -> Choice | None:
    """Return the choice for all of these topics, if there is one."""
    choices = {_choice_for(topic) for topic in topics}
    return choices.pop() if len(choices) == 1 else None


def _choice_for(topic: str) -> Choice | None:
    return next((choice for prefix, choice in _CHOICES.items() if topic.startswith(prefix)), None)
