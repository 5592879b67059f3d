"""Notifications about a table: joining, the deal, absence, stand-ins and pauses."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override, pgettext

from accounts.local_times import format_moment
from accounts.models import Account
from games import links
from games.announcements.batches import topic_of
from games.announcements.email_blocks import questions_missed, way_back
from games.deadlines import pauses
from games.engine import SeatNumber, chain
from games.event_log import log_store
from games.event_log.table import Pause
from games.models import Game, OpenQuestion, Seat, StandIn
from games.phrases import isolated, period, player, render_phrase
from games.visibility.player_view import PlayerView
from games.visibility.seats import answering_seat
from games.visibility.words import deal_fingerprint, deal_protection, deck_fingerprint, short_code, withheld_seeds
from notifications import outbox, preferences
from notifications.content import Block, Footnote, Link, Links, Prose, RenderedNotification, answerable
from notifications.email.message import stop_link
from notifications.kinds import ASKING
from notifications.models import Notification

ABSENT: Final = "absent"
"""The reason of the notification to a player whose seat a bot has taken over, or whose game is over for them."""
STAND_IN_NAMED: Final = "stand-in-named"
"""The reason of the notification to a new stand-in."""
STAND_IN_LEFT: Final = "stand-in-left"
"""The reason of the notifications about the end of a stand-in's role."""
REPLACED: Final = "replaced"
"""The reason of the notification to a player whose seat another player has taken."""

_CONSEQUENCES: Final = {
    "bot": gettext_noop("You can come back at any time."),
    "invite": gettext_noop(
        "The others may invite someone to your seat. You can come back until someone has taken it; then you’re out of "
        "the game for good, because they’ve seen your hand."
    ),
    "forfeit": gettext_noop("Under the terms of this game, you’re now out of it."),
}


def absent(game: Game, seat: Seat, number_of_event: int, now: datetime) -> None:
    """Notify a player of the consequence of too many missed questions."""
    account = seat.account
    if account is None:
        return
    with override(account.language):
        missed = questions_missed(game.terms.misses)
        blocks: tuple[Block, ...] = (Prose((missed, _(_CONSEQUENCES[game.terms.absence]))),)
        if seat.away:
            blocks = (*blocks, *way_back(game, SeatNumber(seat.number), account.pk))
        headline = _("You haven’t answered in %(game)s, game %(code)s.")
        notification = rendered(game, account, headline, *blocks, seat=SeatNumber(seat.number))
        notification = answerable(notification) if seat.away else notification
    post(game, account, ABSENT, number_of_event, notification, now)


def replaced(game: Game, account: Account, number_of_event: int, now: datetime) -> None:
    """Notify a player that another player has taken their seat. The questions to them disappear from their devices."""
    outbox.remove_pushes(topic_of(game.pk), [account.pk], ASKING, now)
    with override(account.language):
        sentence = _("They’ve seen your hand, so you’re out of this game for good. Your moves stay as they are.")
        headline = _("Someone else has taken your seat in %(game)s, game %(code)s.")
        notification = rendered(game, account, headline, Prose((sentence,)))
    post(game, account, REPLACED, number_of_event, notification, now)


def stand_in_named(game: Game, stand_in: StandIn, now: datetime) -> None:
    """Notify a new stand-in, and explain how to end the role."""
    account, owner = stand_in.account, stand_in.owner
    assert account is not None
    assert owner is not None
    with override(account.language):
        question_period = _(
            "Until %(until)s, we’ll send you the questions of %(owner)s too. The first answer is played."
        )
        secrecy = _("You see what they see in the game, but not the chat. Please keep it to yourself.")
        how_to_end = _("If you don’t want to, say so on the page of the game.")
        values = {"until": format_moment(stand_in.until, ZoneInfo(account.time_zone)), "owner": isolated(owner.name)}
        page = Link(_("Open the game"), links.game_page(game.pk))
        headline = _("%(owner)s has named you their stand-in in %(game)s, game %(code)s.")
        notification = rendered(
            game, account, headline, Prose((question_period % values, secrecy, how_to_end)), page, owner=values["owner"]
        )
    post(game, account, STAND_IN_NAMED, stand_in.pk, notification, now)


def stand_in_left(game: Game, stand_in: StandIn, ended_by: Account | None, now: datetime) -> None:
    """Notify the player and the stand-in of the end of the role, except the account that ended it.

    The questions to the stand-in disappear from their devices.
    """
    if stand_in.account is not None:
        outbox.remove_pushes(topic_of(game.pk), [stand_in.account.pk], ASKING, now)
    if (account := stand_in.account) is not None and account != ended_by:
        with override(account.language):
            headline = _("You’re no longer the stand-in for %(owner)s in %(game)s, game %(code)s.")
            owner_name = isolated(stand_in.owner.name) if stand_in.owner else "?"
            notification = rendered(game, account, headline, owner=owner_name)
        post(game, account, STAND_IN_LEFT, stand_in.pk, notification, now)
    if (owner := stand_in.owner) is not None and owner != ended_by:
        with override(owner.language):
            headline = _("You no longer have a stand-in in %(game)s, game %(code)s.")
            notification = rendered(game, owner, headline, seat=SeatNumber(stand_in.seat))
        post(game, owner, STAND_IN_LEFT, stand_in.pk, notification, now)


def rendered(
    game: Game, account: Account, headline: str, *blocks: Block, seat: SeatNumber | None = None, owner: str = ""
) -> RenderedNotification:
    """Return a notification about a game without a question. The player on ``seat`` can reply to it."""
    title, table = render_phrase(log_store.rules_of(game).words.title, {}), short_code(game)
    return RenderedNotification(
        language=account.language,
        subject=f"{title} {table}",
        headline=headline % {"game": title, "code": isolated(table), "owner": owner},
        blocks=blocks,
        reply_to="" if seat is None else links.seat_address(game.pk, seat, account.pk),
        page=links.game_page(game.pk),
    )


def post(
    game: Game, account: Account, reason: str, number_of_event: int, notification: RenderedNotification, now: datetime
) -> None:
    """Post a notification about event ``number_of_event`` of a game."""
    key = f"{reason}:{game.pk}:{number_of_event}:{account.pk}"
    outbox.add_rendered(outbox.NewNotification(key, reason, account.pk, topic=topic_of(game.pk)), notification, now)


JOINED: Final = "joined"
"""The reason of the notification to a player who has joined a table that is not full yet."""
REVEAL: Final = "reveal"
"""The reason of the notification to a player who committed to a seed."""
AWAITS_BEACON: Final = "awaits-beacon"
"""The reason of the notification that the deal waits for the beacon."""
CANCELLED: Final = "cancelled"
"""The reason of the notification that a game was cancelled because its deal could not be protected."""


def joined(game: Game, account: Account, number_of_event: int, now: datetime) -> None:
    """Send a new player the proof that binds the server to the deal, before the last seat is taken."""
    with override(account.language):
        headline = _("You’ve joined %(game)s, game %(code)s.")
        text = Prose((_("The game starts when everyone has joined."),))
        proof = Footnote((deck_fingerprint(game), deal_protection(game)))
        notification = rendered(game, account, headline, text, proof)
        post(game, account, JOINED, number_of_event, notification, now)


def reveal(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Ask each player who committed to a seed to reveal it, with the fingerprint of the deal."""
    for account in (seat.account for seat in seats if seat.seed_commitment):
        if account is None:
            continue
        with override(account.language):
            headline = _("Reveal your seed in %(game)s, game %(code)s.")
            text = (
                _("Every seat is taken, and all seeds and promises are fixed in one list. Keep this email."),
                _(
                    "Open the game in the browser in which you joined. It checks the list, keeps its fingerprint "
                    "and reveals your seed. The cards are dealt after that."
                ),
                _("If you’re shown a different fingerprint of the deal, don’t reveal your seed."),
            )
            page = Link(_("Open the game"), links.game_page(game.pk))
            notification = rendered(
                game, account, headline, Prose(text), page, Footnote((*deal_fingerprint(game), deal_protection(game)))
            )
            post(game, account, REVEAL, number_of_event, notification, now)


def awaits_beacon(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Send the players the fingerprint of the deal before the beacon's number is published."""
    assert game.beacon_round is not None
    published_at = datetime.fromtimestamp(chain.published_at(game.beacon_round), UTC)
    for account in (seat.account for seat in seats):
        if account is None:
            continue
        with override(account.language):
            headline = _("The deal of %(game)s, game %(code)s, waits for the public beacon.")
            text = _(
                "Every seat is taken. Round %(round)s of the public beacon drand is mixed into the cards. It is "
                "published on %(at)s, and nobody can know it before. Keep this email: it shows that everything "
                "else was fixed."
            )
            text = text % {"round": game.beacon_round, "at": format_moment(published_at, ZoneInfo(account.time_zone))}
            proof = Footnote((*deal_fingerprint(game), deal_protection(game)))
            notification = rendered(game, account, headline, Prose((text,)), proof)
            post(game, account, AWAITS_BEACON, number_of_event, notification, now)


def cancelled(game: Game, seats: Iterable[Seat], number_of_event: int, now: datetime) -> None:
    """Notify the players that the game is cancelled because its deal could not be protected, and who kept a
    seed back.
    """
    for account in (seat.account for seat in seats):
        if account is None:
            continue
        with override(account.language):
            headline = _("%(game)s, game %(code)s, was cancelled.")
            text = _(
                "The deal couldn’t be protected within a day. The host had chosen to cancel the game in that case."
            )
            notification = rendered(game, account, headline, Prose((text, *withheld_seeds(game))))
            post(game, account, CANCELLED, number_of_event, notification, now)


def compose_pause(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the content of a notification about a pause as of now, or None if it is out of date."""
    game = Game.objects.prefetch_related("seats__account").filter(id=notification.topic.rpartition(":")[2]).first()
    seat = None if game is None else answering_seat(game, notification.account_id)
    if game is None or seat is None or game.state != Game.State.RUNNING or notification.account is None:
        return None
    if notification.topic in preferences.of(notification.account).muted:
        return None
    with override(notification.account.language):
        return _PauseEmail(PlayerView(game, seat, notification.account), seat, notification).rendered()


class _PauseEmail:
    """A notification about a pause of a game, for the player on one seat."""

    def __init__(self, player_view: PlayerView, seat: SeatNumber, notification: Notification) -> None:
        self.player_view = player_view
        self.seat = seat
        self.notification = notification
        table = log_store.position(player_view.game).table
        self.pause = None if table is None else table.pause

    def rendered(self) -> RenderedNotification | None:
        """Return the notification, or None if it is out of date."""
        match self.notification.reason, self.pause:
            case pauses.PROPOSED, Pause(on=False) as pause if self.seat in self._undecided(pause):
                return self._proposed(pause)
            case pauses.ON, Pause(on=True) as pause:
                return self._on(pause)
            case pauses.OVER, None | Pause(on=False):
                return self._over()
        return None

    def _undecided(self, pause: Pause) -> frozenset[SeatNumber]:
        """Return the players who still have to agree."""
        seats = {SeatNumber(seat.number): seat for seat in self.player_view.game.seats.all()}
        return pauses.electors(self.player_view.rules, self.player_view.state, seats) - set(pause.agreed)

    def _proposed(self, pause: Pause) -> RenderedNotification:
        request = _("%(player)s asks for a pause of %(length)s.")
        condition = _("The game pauses if everyone still in it agrees by %(lapses)s. No answer means no.")
        length = period(pause.length)
        return self._answerable(
            _("%(player)s, do you agree to a pause of %(game)s, game %(code)s?"),
            Prose(
                (
                    request % {"player": player(pause.agreed[0], self.player_view.names), "length": length},
                    condition % {"lapses": self.player_view.moment(pause.ends_at)},
                    _("To agree, reply “agree”. If you don’t want it, reply “decline”."),
                )
            ),
            self._by_mail(
                (_("I agree"), pgettext("command in an email", "agree")),
                (_("I don’t agree"), pgettext("command in an email", "decline")),
            ),
        )

    def _on(self, pause: Pause) -> RenderedNotification:
        until = _("Everyone agreed: the game is paused until %(until)s. Then it resumes.")
        return self._answerable(
            _("%(game)s, game %(code)s, is paused."),
            Prose(
                (
                    until % {"until": self.player_view.moment(pause.ends_at)},
                    _("You can still move, but no deadline passes."),
                    *self._due(),
                    _("The game goes on early if everyone replies “resume”."),
                )
            ),
            self._by_mail((_("Go on with the game"), pgettext("command in an email", "resume"))),
        )

    def _over(self) -> RenderedNotification:
        return self._notification(
            _("%(game)s, game %(code)s, goes on."),
            Prose((_("The pause is over, and the game goes on."), *self._due())),
        )

    def _due(self) -> tuple[str, ...]:
        """Return the deadline of the reader's open question."""
        row = OpenQuestion.objects.filter(game=self.player_view.game, seat=self.seat, bot=False).first()
        sentence = _("You can answer until %(due)s.")
        return () if row is None else (sentence % {"due": self.player_view.moment(row.due_at)},)

    def _by_mail(self, *answers: tuple[str, str]) -> Links:
        """Return the possible answers by email, with their links."""
        address = self.player_view.seat_address
        return Links(
            tuple(Link(label, links.reply_link(address, self.player_view.subject, word)) for label, word in answers)
        )

    def _answerable(self, headline: str, *blocks: Block) -> RenderedNotification:
        return answerable(self._notification(headline, *blocks))

    def _notification(self, headline: str, *blocks: Block) -> RenderedNotification:
        page = links.game_page(self.player_view.game.id)
        stop = Link(_("No more emails from this game"), stop_link(self.notification))
        return RenderedNotification(
            language=self.player_view.reader.language,
            subject=self.player_view.subject,
            headline=headline % self.player_view.name_values,
            blocks=(*blocks, Link(_("Open the game"), page), Links((stop,))),
            reply_to=self.player_view.seat_address,
            page=page,
        )
