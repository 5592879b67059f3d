"""Reports to the moderators. A report keeps a copy of the reported text, so it outlives the original."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.models import Account, Report
from config.core.clock import write_moment
from games.engine import Phrase, SeatNumber, gettext_noop
from games.models import Game
from games.refusals import Refusal, not_found
from games.visibility import visible_chat

MAX_LENGTH: Final = 1000
"""The maximum length of a reason in characters."""
DAILY_LIMIT: Final = 20
"""The maximum number of reports of an account in a day."""
DAY: Final = timedelta(days=1)


def report_message(game: Game, reporter: Account, chat_message: UUID, reason: str, now: datetime) -> Report:
    """Report a chat message that the reporter may read.

    Returns the existing report while an equal one is open. Raises Refusal(not-found), Refusal(malformed) and
    Refusal(rate-limited).
    """
    message = (
        visible_chat.readable_messages(game, reporter).filter(public_id=chat_message).select_related("author").first()
    )
    if message is None or message.author is None or not message.text:
        raise not_found()
    evidence = {
        "name": message.author.name,
        "seat": message.seat,
        "to": message.to or "all",
        "text": message.text,
        "sent_at": write_moment(message.sent_at),
    }
    return _store_report(
        game, reporter, message.author, Report.Kind.MESSAGE, f"message:{chat_message}", evidence, reason, now
    )


def report_player(game: Game, reporter: Account, seat: SeatNumber, kind: str, reason: str, now: datetime) -> Report:
    """Report the name or the conduct of a player in a game that the reporter can see.

    Raises the refusals of ``report_message``.
    """
    seat_row = next((row for row in game.seats.all() if row.number == seat), None)
    if seat_row is None or seat_row.account is None:
        raise Refusal("malformed", Phrase(gettext_noop("There is no player in this seat to report.")), "seat")
    evidence = {"name": seat_row.account.name, "seat": seat}
    return _store_report(game, reporter, seat_row.account, kind, f"seat:{game.id}:{seat}", evidence, reason, now)


def _store_report(
    game: Game,
    reporter: Account,
    accused: Account,
    kind: str,
    subject: str,
    evidence: dict[str, Any],
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
        report = Report.objects.filter(**same, state=Report.State.OPEN).first()
        if report is None:
            _check_rate(reporter, now)
            report = Report.objects.create(
                **same, place=f"game:{game.id}", evidence=evidence, reason=reason.strip(), made_at=now
            )
    return report


def _check_rate(reporter: Account, now: datetime) -> None:
    if Report.objects.filter(reporter=reporter, made_at__gt=now - DAY).count() >= DAILY_LIMIT:
        sentence = gettext_noop("You have made %(most)s reports within a day: please wait until they have been read.")
        raise Refusal("rate-limited", Phrase(sentence, {"most": DAILY_LIMIT}), wait=int(DAY.total_seconds()))
