"""The end of a game on its page: claims, hands, the turning point, and a link to share."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import Account
from games.archive.analysis.making import is_analysed
from games.archive.series import wins_by_seat
from games.engine.hindsight import Claims
from games.event_log.table_events import TableEvent
from games.pages.shared.sharing import public_link
from games.text.phrases import number, player, render_phrase
from games.visibility.claims import name_claim
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import takeovers
from games.visibility.story import story


@dataclass(frozen=True)
class ClaimCount:
    """A row of the table of claims."""

    player: str
    claim: str
    made: int
    true: int
    challenged: int
    caught: int


@dataclass(frozen=True)
class TurningPoint:
    """The turning point of a game, in words."""

    line: str
    """The line of the story that contains it, as far as the story went then."""
    why: str
    number: int
    """The number of its line in the log."""


@dataclass(frozen=True)
class Standing:
    """The place and points of a player."""

    player: str
    place: int
    score: int | None
    team: int | None


@dataclass(frozen=True)
class Counted:
    """Something that the game counted of a player."""

    player: str
    label: str
    count: int


@dataclass(frozen=True)
class SeriesScore:
    """The games that a player has won in a series of games of the same people."""

    player: str
    wins: int


@dataclass(frozen=True)
class Ending:
    """A game that is over."""

    standings: list[Standing]
    """The points by place; none in a game that tells its winners and nothing more."""
    counted: list[Counted]

    claims: list[ClaimCount]
    boldest: str
    """A sentence on the claim that was untrue most often; blank where all were true."""
    hands: list[str]
    turning_point: TurningPoint | None
    series: list[SeriesScore]
    """The games that each player has won since these people began to play again; none in the first of them."""
    is_analysed: bool
    """True for a reader who may have the decisions of the game analysed."""
    link: str
    """The address to share; blank where the game is private."""

    @property
    def has_scores(self) -> bool:
        """True in a game that counts points."""
        return any(standing.score is not None for standing in self.standings)

    @property
    def has_teams(self) -> bool:
        """True in a game of teams."""
        return any(standing.team is not None for standing in self.standings)


def ending(player_view: PlayerView, reader: Account | None) -> Ending:
    """Return the end of a finished game. All its content is open to viewers of the game."""
    view = player_view.rules.view(player_view.state, player_view.viewer)
    return Ending(
        standings=_standings(player_view),
        counted=[
            Counted(player(count.seat, player_view.names), render_phrase(count.label, player_view.names), count.count)
            for count in player_view.statistics.counts
        ],
        claims=[_claim_count(claim, player_view) for claim in player_view.statistics.claims],
        boldest=_boldest(player_view),
        hands=[render_phrase(phrase, player_view.names) for phrase in player_view.rules.words.hands(view)],
        turning_point=_turning_point(player_view),
        series=_series(player_view, reader),
        is_analysed=reader is not None and is_analysed(player_view.game),
        link=public_link(player_view.game),
    )


def _series(player_view: PlayerView, reader: Account | None) -> list[SeriesScore]:
    wins = wins_by_seat(player_view.game, reader)
    scores = [SeriesScore(player(seat, player_view.names), wins[seat]) for seat in player_view.names if seat in wins]
    return sorted(scores, key=lambda each: -each.wins)


def _standings(player_view: PlayerView) -> list[Standing]:
    outcome = player_view.rules.outcome(player_view.state)
    if outcome is None or not (outcome.places or outcome.scores):
        return []
    seats = sorted(player_view.names, key=lambda seat: (outcome.place(seat), seat))
    return [
        Standing(player(seat, player_view.names), outcome.place(seat), outcome.score(seat), outcome.team(seat))
        for seat in seats
    ]


def _claim_count(each: Claims, player_view: PlayerView) -> ClaimCount:
    name, claim = player(each.seat, player_view.names), name_claim(each)
    return ClaimCount(name, claim, each.made, each.made - each.lies, each.challenged, each.fallen)


def _boldest(player_view: PlayerView) -> str:
    """Return the player with the most claims of one character, and how many of them were true."""
    boldest = max(player_view.statistics.claims, key=lambda each: (each.lies, each.made), default=None)
    if boldest is None or not boldest.lies or boldest.denies:
        return ""
    if boldest.made > boldest.lies:
        said = _("%(player)s claimed the %(claim)s %(made)s times, %(true)s of them truly.")
    elif boldest.made > 1:
        said = _("%(player)s claimed the %(claim)s %(made)s times, and never held it.")
    else:
        said = _("%(player)s claimed the %(claim)s once, and did not hold it.")
    return said % {
        "player": player(boldest.seat, player_view.names),
        "claim": name_claim(boldest),
        "made": number(boldest.made),
        "true": number(boldest.made - boldest.lies),
    }


def _turning_point(player_view: PlayerView) -> TurningPoint | None:
    """Return the event that the game names, with its line of the story."""
    of_game = [index for index, line in enumerate(player_view.log) if not isinstance(line.event, TableEvent)]
    found = player_view.rules.turning_point(player_view.log[index].event for index in of_game)
    if found is None:
        return None
    index = of_game[found.event]
    told = story(
        player_view.rules,
        player_view.names,
        player_view.log[: index + 1],
        player_view.seat,
        taken_over=takeovers(player_view.log),
    )
    return TurningPoint(told[-1] if told else "", render_phrase(found.why, player_view.names), index + 1)
