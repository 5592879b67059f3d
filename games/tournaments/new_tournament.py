"""A tournament as its host wants it, its checks, and its creation."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from accounts.limits.rate_limits import DAY, Policy
from accounts.models import Account
from games.announcements.tournaments import tournament_posts
from games.clubs.rights import Right, held, membership, require
from games.engine import AnyRules, Notation, Phrase, gettext_noop
from games.lobby.new_game import check_delay, chosen_options, rules_named
from games.models import Club, Tournament, TournamentPost
from games.play import game_caps
from games.refusals import Refusal
from games.terms.speeds import SPEEDS, USUAL
from games.text.own_words import check_about, check_name
from games.tournaments.core.lots import commitment
from games.tournaments.core.tables import least_at_table

Format = Tournament.Format
LEAST_ENTRIES: Final = 3
MOST_ENTRIES: Final[Mapping[str, int]] = {
    Format.SWISS: 256,
    Format.ROUND_ROBIN: 24,
    Format.KNOCK_OUT: 256,
    Format.LEAGUE: 256,
}
MOST_ROUNDS: Final = 15
LEAST_DIVISION: Final = 3
MOST_DIVISION: Final = 16
SHORTEST: Final = timedelta(hours=1)
"""The shortest time that a round takes at most, and the shortest break between seasons."""
LONGEST: Final = timedelta(days=90)
"""The longest of these."""
LATEST_START: Final = timedelta(days=180)
MOST_HOSTED: Final = 5
"""The number of tournaments that are not over of one host."""
DAILY: Final = Policy("tournaments", 5, DAY)
"""The number of tournaments that an account may create."""


@dataclass(frozen=True)
class NewTournament:
    """The settings of a new tournament."""

    name: str
    format: str
    rules: str
    table_size: int
    starts_at: datetime
    round_length: timedelta
    about: str = ""
    rounds: int | None = None
    advance: int | None = None
    division_size: int | None = None
    promoted: int | None = None
    season_break: timedelta | None = None
    most: int | None = None
    """None means as many as the format allows."""
    speed: str = USUAL
    options: Mapping[str, Any] = field(default_factory=dict)
    spectator_delay: timedelta | None = None
    club: UUID | None = None


@dataclass(frozen=True)
class _Number:
    """A number that one format needs, and others do not take."""

    field: str
    format: str
    least: int
    most: int
    sentence: str

    def check(self, wanted: NewTournament) -> None:
        value = getattr(wanted, self.field)
        needed = wanted.format == self.format
        if not (value is not None and self.least <= value <= self.most if needed else value is None):
            raise Refusal("malformed", Phrase(self.sentence, {"least": self.least, "most": self.most}), self.field)


def create_tournament(host: Account, wanted: NewTournament, now: datetime) -> Tournament:
    """Create a tournament that people may enter from now on. Its host does not take part, unless they enter.

    Refusal ``malformed`` names what cannot be; ``forbidden``: a bot account, a guest, or no organizer of the club;
    ``limit-reached`` and ``rate-limited``: too many tournaments.
    """
    if host.is_bot or host.is_guest:
        raise Refusal("forbidden", Phrase(gettext_noop("Tournaments are held by people who have an account.")))
    made = _checked(wanted, now)
    with game_caps.locked(host):
        made.club = _club(host, wanted.club)
        going = Tournament.objects.filter(host=host, ended_at=None)
        if going.count() >= MOST_HOSTED:
            sentence = gettext_noop("You host %(most)s tournaments, which is the limit. Wait until one of them ends.")
            raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_HOSTED}))
        sentence = gettext_noop("You may create at most %(most)s tournaments a day. Try again later.")
        game_caps.keep_pace(host, DAILY, sentence, now)
        made.host = host
        made.save(force_insert=True)
        tournament_posts.order(made, TournamentPost.Event.OPENED, now)
    return made


def check_start(starts_at: datetime, now: datetime) -> None:
    """Refuse a time at which a tournament cannot begin."""
    if not now < starts_at <= now + LATEST_START:
        sentence = gettext_noop("A tournament begins in the future, and at most %(days)s days from now.")
        raise Refusal("malformed", Phrase(sentence, {"days": LATEST_START.days}), "starts_at")


def _checked(wanted: NewTournament, now: datetime) -> Tournament:
    """Return the row of a tournament that can be, not stored yet."""
    rules = rules_named(wanted.rules)
    name, about = check_name(wanted.name), check_about(wanted.about)
    _check_format(wanted)
    _check_tables(rules, wanted)
    check_start(wanted.starts_at, now)
    check_delay(wanted.spectator_delay)
    most = _most(wanted)
    made = Tournament(
        **{each: getattr(wanted, each) for each in ("format", "rules", "speed", "table_size", "rounds", "advance")},
        **{each: getattr(wanted, each) for each in ("division_size", "promoted", "season_break")},
        **{each: getattr(wanted, each) for each in ("round_length", "starts_at", "spectator_delay")},
        name=name,
        about=about,
        options=dict(wanted.options),
        most=most,
        look_at=wanted.starts_at,
        created_at=now,
    )
    if made.format == Format.LEAGUE:
        made.league, made.season = made.pk, 1
    bind_seed(made)
    return made


def bind_seed(tournament: Tournament) -> None:
    """Publish the commitment to the seed of a tournament that is new."""
    tournament.commitment = commitment(str(tournament.pk), bytes(tournament.seed))


def _check_format(wanted: NewTournament) -> None:
    if wanted.format not in Format.values:
        raise _unknown(gettext_noop("There is no format “%(name)s”; there are: %(known)s."), wanted.format, "format")
    if wanted.speed not in SPEEDS:
        raise _unknown(gettext_noop("There is no speed “%(name)s”; there are: %(known)s."), wanted.speed, "speed")
    if not SHORTEST <= wanted.round_length <= LONGEST:
        raise Refusal("malformed", Phrase(gettext_noop("A round takes from an hour to 90 days.")), "round_length")
    for number in _numbers(wanted):
        number.check(wanted)
    pause = wanted.season_break
    if not (pause is not None and SHORTEST <= pause <= LONGEST if wanted.format == Format.LEAGUE else pause is None):
        sentence = gettext_noop(
            "Between two seasons of a league are from an hour to 90 days. For other formats leave it out."
        )
        raise Refusal("malformed", Phrase(sentence), "season_break")


def _numbers(wanted: NewTournament) -> Iterable[_Number]:
    """The numbers that one format needs."""
    rounds = gettext_noop(
        "A Swiss tournament has from 1 to %(most)s rounds. Other formats end by themselves: leave it out."
    )
    advance = gettext_noop(
        "In a knock-out, from 1 to %(most)s players go on at each table of this size. For other formats leave it out."
    )
    size = gettext_noop(
        "A division of a league with tables of this size has from %(least)s to %(most)s players. "
        "For other formats leave it out."
    )
    promoted = gettext_noop(
        "In a league, from 1 to %(most)s players go up from a division of this size. For other formats leave it out."
    )
    yield _Number("rounds", Format.SWISS, 1, MOST_ROUNDS, rounds)
    yield _Number("advance", Format.KNOCK_OUT, 1, wanted.table_size - 1, advance)
    yield _Number("division_size", Format.LEAGUE, max(LEAST_DIVISION, wanted.table_size), MOST_DIVISION, size)
    yield _Number("promoted", Format.LEAGUE, 1, (wanted.division_size or 0) // 2, promoted)


def _unknown(sentence: str, name: str, field: str) -> Refusal:
    known = Format.values if field == "format" else list(SPEEDS)
    listed = tuple(Phrase("%(name)s", {"name": Notation(each)}) for each in known)
    return Refusal("malformed", Phrase(sentence, {"name": Notation(name[:40]), "known": listed}), field)


def _check_tables(rules: AnyRules, wanted: NewTournament) -> None:
    least = least_at_table(rules)
    if not least <= wanted.table_size <= max(rules.players):
        sentence = gettext_noop("A table of this game has from %(least)s to %(most)s players.")
        raise Refusal("malformed", Phrase(sentence, {"least": least, "most": max(rules.players)}), "table_size")
    for size in range(least, wanted.table_size + 1):
        chosen_options(rules, wanted.options, size)


def _most(wanted: NewTournament) -> int:
    """Return the greatest number of entries. Refusal."""
    limit = MOST_ENTRIES[wanted.format]
    if wanted.most is None:
        return limit
    if not LEAST_ENTRIES <= wanted.most <= limit:
        sentence = gettext_noop("A tournament of this format has from %(least)s to %(most)s players.")
        raise Refusal("malformed", Phrase(sentence, {"least": LEAST_ENTRIES, "most": limit}), "most")
    return wanted.most


def _club(host: Account, club: UUID | None) -> Club | None:
    """The club of a tournament, held, where its host may hold one. Refusal."""
    if club is None:
        return None
    try:
        mine = held(membership(host, club))
    except Refusal:
        raise Refusal("malformed", Phrase(gettext_noop("You are in no such club.")), "club") from None
    require(mine, Right.HOLD)
    return mine.club
