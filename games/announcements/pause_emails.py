"""Notifications about pauses: a proposal, the beginning and the end."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from games.deadlines import pauses
from games.engine import SeatNumber
from games.event_log import log_store
from games.event_log.table import Pause
from games.models import Game, OpenQuestion
from games.text import links
from games.text.phrases import period, player
from games.visibility.player_view import PlayerView, answers_for
from notifications.content.rendered_notification import Block, Link, Links, Prose, RenderedNotification, answerable
from notifications.email.message import stop_link
from notifications.models import Notification
from notifications.recipients import preferences


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the content of a notification about a pause as of now, or None if it is out of date."""
    game = Game.objects.prefetch_related("seats__account").filter(id=notification.topic.rpartition(":")[2]).first()
    seat = None if game is None else answers_for(game, notification.account_id)
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
        condition = _("The game pauses if everybody still in it agrees by %(lapses)s. No answer means no.")
        length = period(pause.length)
        return self._answerable(
            _("%(player)s, do you agree to a pause of %(game)s, game %(code)s?"),
            Prose(
                (
                    request % {"player": player(pause.agreed[0], self.player_view.names), "length": length},
                    condition % {"lapses": self.player_view.moment(pause.ends_at)},
                    _("To agree, reply with agree; if you do not want it, reply with decline."),
                )
            ),
            self._by_mail(
                (_("I agree"), pgettext("command in an email", "agree")),
                (_("I do not agree"), pgettext("command in an email", "decline")),
            ),
        )

    def _on(self, pause: Pause) -> RenderedNotification:
        until = _("Everybody agreed: the game is paused until %(until)s. Then it resumes.")
        return self._answerable(
            _("%(game)s, game %(code)s, is paused."),
            Prose(
                (
                    until % {"until": self.player_view.moment(pause.ends_at)},
                    _("You can still move, but no deadline ends."),
                    *self._due(),
                    _("The game goes on earlier if everybody replies with resume."),
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
        sentence = _("You may answer until %(due)s.")
        return () if row is None else (sentence % {"due": self.player_view.moment(row.due_at)},)

    def _by_mail(self, *answers: tuple[str, str]) -> Links:
        """Return the possible answers by email, with their links."""
        address = links.seat_address(self.player_view.game.id, self.seat)
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
            blocks=(*blocks, Link(_("To the game"), page), Links((stop,))),
            reply_to=links.seat_address(self.player_view.game.id, self.seat),
        )
