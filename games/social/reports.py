"""Reports to the moderators. A report keeps a copy of the reported text, so it outlives the original."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.models import Account, Report
from config.moments import write_moment
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import Game
from games.refusals import Refusal, not_found
from games.visibility import visible_chat

MAX_LENGTH: Final = 1000
"""Characters of a reason."""
DAILY_LIMIT: Final = 20
"""The number of reports that an account may make in a day."""
DAY: Final = timedelta(days=1)


def report_message(game: Game, reporter: Account, chat_message: UUID, reason: str, now: datetime) -> Report:
    """Report a chat message that the reporter may read.

    The same again, while the first is open, is the first. Refusal ``not-found``, ``malformed``, ``rate-limited``.
    """
    said = (
        visible_chat.readable_messages(game, reporter).filter(public_id=chat_message).select_related("author").first()
    )
    if said is None or said.author is None or not said.text:
        raise not_found()
    seen = {
        "name": said.author.name,
        "seat": said.seat,
        "to": said.to or "all",
        "text": said.text,
        "sent_at": write_moment(said.sent_at),
    }
    return _store_report(game, reporter, said.author, Report.Kind.MESSAGE, f"message:{chat_message}", seen, reason, now)


def report_player(game: Game, reporter: Account, seat: SeatNumber, kind: str, reason: str, now: datetime) -> Report:
    """Report the name or the conduct of a player in a game that the reporter can see. Raises the refusals for a
    message.
    """
    seat_row = next((each for each in game.seats.all() if each.number == seat), None)
    if seat_row is None or seat_row.account is None:
        raise Refusal("malformed", Phrase(gettext_noop("There is no player in this seat to report.")), "seat")
    seen = {"name": seat_row.account.name, "seat": seat}
    return _store_report(game, reporter, seat_row.account, kind, f"seat:{game.id}:{seat}", seen, reason, now)


def _store_report(
    game: Game,
    reporter: Account,
    accused: Account,
    kind: str,
    subject: str,
    seen: dict[str, Any],
    reason: str,
    now: datetime,
) -> Report:
    if accused == reporter:
        raise Refusal("malformed", Phrase(gettext_noop("This is your own. You can only report others.")))
    if not 0 < len(reason.strip()) <= MAX_LENGTH:
        sentence = gettext_noop("Say what is wrong with it, in at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": MAX_LENGTH}), "reason")
    with transaction.atomic():
        Account.objects.select_for_update(no_key=True).get(pk=reporter.pk)
        same = {"reporter": reporter, "accused": accused, "kind": kind, "subject": subject}
        known = Report.objects.filter(**same, state=Report.State.OPEN).first()
        if known is None:
            _check_rate(reporter, now)
            known = Report.objects.create(
                **same, place=f"game:{game.id}", evidence=seen, reason=reason.strip(), made_at=now
            )
    return known


def _check_rate(reporter: Account, now: datetime) -> None:
    if Report.objects.filter(reporter=reporter, made_at__gt=now - DAY).count() >= DAILY_LIMIT:
        sentence = gettext_noop("You have made %(most)s reports within a day: please wait until they have been read.")
        raise Refusal("rate-limited", Phrase(sentence, {"most": DAILY_LIMIT}), wait=int(DAY.total_seconds()))
