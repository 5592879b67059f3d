"""The end of a game on its page: places, claims, hands, the turning point, and a link to share."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from accounts.models import Account
from games.archive.analyses import is_analysed
from games.archive.player_stats import wins_by_seat
from games.engine.hindsight import Claims
from games.event_log.table_events import TableEvent
from games.models import Game, Result
from games.pages.cards import public_link
from games.phrases import number, player, render_phrase
from games.visibility.player_view import PlayerView
from games.visibility.shown_events import line_texts, name_claim, story_lines, takeovers


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
    """The line of the story with the turning point. It ends with that event."""
    why: str
    number: int
    """The number of its line in the log."""


@dataclass(frozen=True)
class Standing:
    """The place and the points of a player."""

    player: str
    place: int
    score: int | None
    team: int | None


@dataclass(frozen=True)
class PlayerCount:
    """A number that the rules count for each player."""

    player: str
    label: str
    count: int


@dataclass(frozen=True)
class SeriesScore:
    """The number of games that a player has won in a series with the same players."""

    player: str
    wins: int


@dataclass(frozen=True)
class RatingChange:
    """The rating of the reader after the game, and its change. The change is None after the first rated game."""

    rating: int
    change: int | None


@dataclass(frozen=True)
class Ending:
    """The context for a finished game."""

    standings: list[Standing]
    """The players by place. Empty for rules that only name winners."""
    counted: list[PlayerCount]

    claims: list[ClaimCount]
    boldest: str
    """A sentence about the player with the most untrue claims, or an empty string if all claims were true."""
    hands: list[str]
    turning_point: TurningPoint | None
    series: list[SeriesScore]
    """The number of wins of each player in the series. Empty for its first game."""
    is_analysed: bool
    """The reader may open the analysis of the game."""
    link: str
    """The address to share, or an empty string for a private game."""
    place: int | None
    """The reader's own place, if the game has such places and the reader has played it."""
    rating: RatingChange | None

    @property
    def has_scores(self) -> bool:
        """Return whether the rules count points."""
        return any(standing.score is not None for standing in self.standings)

    @property
    def has_teams(self) -> bool:
        """Return whether the rules have teams."""
        return any(standing.team is not None for standing in self.standings)


def ending(player_view: PlayerView, reader: Account | None) -> Ending:
    """Return the context for a finished game. All readers of the game may see it."""
    view = player_view.rules.view(player_view.state, player_view.viewer)
    return Ending(
        standings=_standings(player_view),
        counted=[
            PlayerCount(
                player(count.seat, player_view.names), render_phrase(count.label, player_view.names), count.count
            )
            for count in player_view.statistics.counts
        ],
        claims=[_claim_count(claim, player_view) for claim in player_view.statistics.claims],
        boldest=_boldest(player_view),
        hands=[render_phrase(phrase, player_view.names) for phrase in player_view.rules.words.hands(view)],
        turning_point=_turning_point(player_view),
        series=_series(player_view, reader),
        is_analysed=reader is not None and is_analysed(player_view.game),
        link=public_link(player_view.game),
        place=_own_place(player_view),
        rating=_rating_change(player_view.game, reader),
    )


def _own_place(player_view: PlayerView) -> int | None:
    outcome, seat = player_view.rules.outcome(player_view.state), player_view.seat
    if outcome is None or seat is None:
        return None
    return outcome.place(seat) if outcome.places or seat in outcome.winners else player_view.place_out


def _rating_change(game: Game, reader: Account | None) -> RatingChange | None:
    """Return the change of the reader's rating by a game, compared with the game of the same kind before it."""
    own_results = Result.objects.filter(account=reader, rating__isnull=False, game__rules=game.rules, game__arena=False)
    own_results = own_results.annotate(
        with_bots=Exists(Result.objects.filter(game=OuterRef("game"), bot=True))
    ).order_by("-pk")
    own_result = own_results.filter(game=game).first() if reader else None
    if own_result is None or own_result.rating is None:
        return None
    former = own_results.filter(pk__lt=own_result.pk, with_bots=own_result.with_bots).first()
    change = own_result.rating - former.rating if former and former.rating is not None else None
    return RatingChange(own_result.rating, change)


def _series(player_view: PlayerView, reader: Account | None) -> list[SeriesScore]:
    wins = wins_by_seat(player_view.game, reader)
    scores = [SeriesScore(player(seat, player_view.names), wins[seat]) for seat in player_view.names if seat in wins]
    return sorted(scores, key=lambda score: -score.wins)


def _standings(player_view: PlayerView) -> list[Standing]:
    outcome = player_view.rules.outcome(player_view.state)
    if outcome is None or not (outcome.places or outcome.scores):
        return []
    seats = sorted(player_view.names, key=lambda seat: (outcome.place(seat), seat))
    return [
        Standing(player(seat, player_view.names), outcome.place(seat), outcome.score(seat), outcome.team(seat))
        for seat in seats
    ]


def _claim_count(claims: Claims, player_view: PlayerView) -> ClaimCount:
    name, claim = player(claims.seat, player_view.names), name_claim(claims)
    return ClaimCount(name, claim, claims.made, claims.made - claims.lies, claims.challenged, claims.fallen)


def _boldest(player_view: PlayerView) -> str:
    """Return a sentence about the player with the most untrue claims of one character."""
    boldest = max(player_view.statistics.claims, key=lambda claims: (claims.lies, claims.made), default=None)
    if boldest is None or not boldest.lies or boldest.denies:
        return ""
    if boldest.made > boldest.lies:
        sentence = _("%(player)s claimed the %(claim)s %(made)s times, %(true)s of them truthfully.")
    elif boldest.made > 1:
        sentence = _("%(player)s claimed the %(claim)s %(made)s times, and never held it.")
    else:
        sentence = _("%(player)s claimed the %(claim)s once, and didn’t hold it.")
    return sentence % {
        "player": player(boldest.seat, player_view.names),
        "claim": name_claim(boldest),
        "made": number(boldest.made),
        "true": number(boldest.made - boldest.lies),
    }


def _turning_point(player_view: PlayerView) -> TurningPoint | None:
    """Return the event that the rules call the turning point, with its line of the story."""
    game_lines = [index for index, line in enumerate(player_view.log) if not isinstance(line.event, TableEvent)]
    turning_point = player_view.rules.turning_point(player_view.log[index].event for index in game_lines)
    if turning_point is None:
        return None
    index = game_lines[turning_point.event]
    story = story_lines(
        player_view.rules,
        player_view.names,
        player_view.log[: index + 1],
        player_view.seat,
        taken_over=takeovers(player_view.log),
    )
    line = "".join(line_texts(story[-1:]))
    return TurningPoint(line, render_phrase(turning_point.why, player_view.names), index + 1)
