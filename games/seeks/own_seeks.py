"""The seeks of one account: listing, withdrawing, deleting, and their texts on pages."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Account
from games.engine import Phrase, gettext_noop
from games.models import Seek
from games.refusals import Refusal, not_found
from games.rules.registry import RULES
from games.seeks.lobby import SearchedGame
from games.terms.speeds import SPEEDS
from games.text.game_words import option_lines
from games.text.phrases import number, period, render_phrase

RETENTION: Final = timedelta(days=30)
"""The time for which a seek is kept once it is over."""
JUST_STARTED: Final = timedelta(minutes=1)
"""The time after its start for which open pages go to a game by themselves."""


def list_seeks(account: Account) -> QuerySet[Seek]:
    """Return the seeks of an account, newest first."""
    return Seek.objects.filter(account=account).order_by("-created_at", "-id")


def just_started(account: Account, now: datetime) -> Seek | None:
    """Return the latest seek of an account whose game has just been created. Open pages go to that game."""
    rows = Seek.objects.filter(account=account, state=Seek.State.MATCHED, game__isnull=False)
    return rows.filter(ended_at__gt=now - JUST_STARTED).order_by("-ended_at").first()


def get_seek(account: Account, seek: UUID) -> Seek:
    """Return a seek of an account. Raises Refusal(not-found)."""
    row = Seek.objects.filter(account=account, pk=seek).first()
    if row is None:
        raise not_found()
    return row


def withdraw(account: Account, seek: UUID, now: datetime) -> None:
    """Withdraw a seek. Has no effect if it is withdrawn already. Raises Refusal(not-found), or Refusal(conflict) if
    it has led to a game.
    """
    with transaction.atomic():
        row = Seek.objects.select_for_update().filter(account=account, pk=seek).first()
        if row is None:
            raise not_found()
        if row.state == Seek.State.MATCHED:
            raise Refusal("conflict", Phrase(gettext_noop("Players were found: the game has been created.")))
        if row.state == Seek.State.OPEN:
            row.state, row.ended_at = Seek.State.WITHDRAWN, now
            row.save(update_fields=["state", "ended_at"])


def withdraw_all(account: Account, now: datetime) -> None:
    """Withdraw all seeks, when an account leaves the server."""
    Seek.objects.filter(account=account, state=Seek.State.OPEN).update(state=Seek.State.WITHDRAWN, ended_at=now)


def forget_old(now: datetime) -> None:
    """Delete the seeks that have been over for long."""
    Seek.objects.filter(ended_at__lt=now - RETENTION).delete()


@dataclass(frozen=True)
class ListedSeek:
    """A search in the active language."""

    seek: Seek | SearchedGame

    @property
    def title(self) -> str:
        """The title of the game, or its short name if it is not installed here."""
        rules = RULES.get(self.seek.rules)
        return render_phrase(rules.words.title, {}) if rules else self.seek.rules

    @property
    def players(self) -> str:
        """The possible numbers of players."""
        least, most = number(self.seek.least), number(self.seek.most)
        if least == most:
            return ngettext("%(number)s player", "%(number)s players", self.seek.least) % {"number": least}
        return _("%(least)s to %(most)s players") % {"least": least, "most": most}

    @property
    def speed(self) -> str:
        """The name of the speed."""
        return _(SPEEDS[self.seek.speed].label) if self.seek.speed in SPEEDS else ""

    @property
    def expansions(self) -> list[str]:
        """The required expansions."""
        return self._options(required=True)

    @property
    def unwanted(self) -> list[str]:
        """The excluded expansions."""
        return self._options(required=False)

    def _options(self, *, required: bool) -> list[str]:
        rules = RULES.get(self.seek.rules)
        words = rules.words.options if rules else {}
        return [
            render_phrase(words[name], {})
            for name, value in self.seek.options.items()
            if value is required and name in words
        ]

    @property
    def conditions(self) -> list[str]:
        """The required options."""
        rules = RULES.get(self.seek.rules)
        return option_lines(rules, self.seek.options) if rules else []

    @property
    def bots(self) -> str:
        """The sentence about bots on free seats. It is blank if bots take none."""
        if self.seek.fill_after is None:
            return ""
        return _("Bots take the free seats after %(time)s.") % {"time": period(self.seek.fill_after)}


def open_seeks(account: Account) -> list[ListedSeek]:
    """Return the open seeks of an account."""
    return [ListedSeek(seek) for seek in list_seeks(account).filter(state=Seek.State.OPEN)]


_MOST_ENDED: Final = 3


def ended_seeks(account: Account) -> list[ListedSeek]:
    """Return the latest searches of an account that have led to a game or found too few players."""
    ended = list_seeks(account).filter(state__in=(Seek.State.MATCHED, Seek.State.LAPSED), games_at_once=None)
    return [ListedSeek(seek) for seek in ended[:_MOST_ENDED]]
