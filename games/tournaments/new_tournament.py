"""The settings of a new tournament, their validation, and the creation of a tournament."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from accounts.models import Account
from accounts.rate_limits import DAY, Policy
from games.announcements import tournament_emails
from games.clubs import Right, get_membership, lock_membership, require
from games.engine import AnyRules, Notation, Phrase, gettext_noop
from games.models import Club, Tournament
from games.play import game_caps
from games.refusals import Refusal
from games.tables.new_game import check_delay, chosen_options, rules_named
from games.terms import SPEEDS, USUAL
from games.tournaments.core import commitment, least_at_table
from games.user_texts import check_about, check_name

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
"""The shortest time limit of a round, and the shortest break between seasons."""
LONGEST: Final = timedelta(days=90)
"""The longest time limit of a round, and the longest break between seasons."""
LATEST_START: Final = timedelta(days=180)
MOST_HOSTED: Final = 5
"""The maximum number of tournaments of one host that are not over."""
DAILY_TOURNAMENTS: Final = Policy("tournaments", 5, DAY)
"""The limit for tournaments that an account creates."""


_COPIED_FIELDS: Final = (
    *("format", "rules", "speed", "table_size", "rounds", "advance", "division_size", "promoted", "season_break"),
    *("round_length", "starts_at", "spectator_delay"),
)


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
    """The maximum number of entries, or None for the maximum of the format."""
    speed: str = USUAL
    options: Mapping[str, Any] = field(default_factory=dict)
    spectator_delay: timedelta | None = None
    club: UUID | None = None


@dataclass(frozen=True)
class _Number:
    """A setting that one format needs, and other formats must not have."""

    field: str
    format: str
    least: int
    most: int
    sentence: str

    def check(self, settings: NewTournament) -> None:
        value = getattr(settings, self.field)
        needed = settings.format == self.format
        if not (value is not None and self.least <= value <= self.most if needed else value is None):
            raise Refusal("malformed", Phrase(self.sentence, {"least": self.least, "most": self.most}), self.field)


def create_tournament(host: Account, settings: NewTournament, now: datetime) -> Tournament:
    """Create a tournament that accounts may enter immediately. Its host does not take part, unless they enter.

    Raises Refusal(malformed) for invalid settings, Refusal(forbidden) for a bot account, a guest, or a member who may
    not hold tournaments of the club, Refusal(limit-reached) and Refusal(rate-limited).
    """
    if host.is_bot or host.is_guest:
        raise Refusal("forbidden", Phrase(gettext_noop("Only people with an account can hold tournaments.")))
    tournament = _checked(settings, now)
    with game_caps.lock_account(host):
        tournament.club = _club(host, settings.club)
        going = Tournament.objects.filter(host=host, ended_at=None)
        if going.count() >= MOST_HOSTED:
            sentence = gettext_noop("You host %(most)s tournaments, which is the limit. Wait until one of them ends.")
            raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_HOSTED}))
        sentence = gettext_noop("You can create at most %(most)s tournaments a day. Try again later.")
        game_caps.enforce_rate(host, DAILY_TOURNAMENTS, sentence, now)
        tournament.host = host
        tournament.save(force_insert=True)
        tournament_emails.order_post(tournament, tournament_emails.Event.OPENED, now)
    return tournament


def check_start(starts_at: datetime, now: datetime) -> None:
    """Raise Refusal(malformed) for a time at which a tournament cannot start."""
    if not now < starts_at <= now + LATEST_START:
        sentence = gettext_noop("A tournament must start in the future, and at most %(days)s days from now.")
        raise Refusal("malformed", Phrase(sentence, {"days": LATEST_START.days}), "starts_at")


def _checked(settings: NewTournament, now: datetime) -> Tournament:
    """Validate the settings, and return the row of the tournament, which is not stored yet."""
    rules = rules_named(settings.rules)
    name, about = check_name(settings.name), check_about(settings.about)
    _check_format(settings)
    _check_tables(rules, settings)
    check_start(settings.starts_at, now)
    check_delay(settings.spectator_delay)
    most = _most(settings)
    tournament = Tournament(
        **{field: getattr(settings, field) for field in _COPIED_FIELDS},
        name=name,
        about=about,
        options=dict(settings.options),
        most=most,
        look_at=settings.starts_at,
        created_at=now,
    )
    if tournament.format == Format.LEAGUE:
        tournament.league, tournament.season = tournament.pk, 1
    set_commitment(tournament)
    return tournament


def set_commitment(tournament: Tournament) -> None:
    """Set the commitment of a new tournament to its seed."""
    tournament.commitment = commitment(str(tournament.pk), bytes(tournament.seed))


def _check_format(settings: NewTournament) -> None:
    if settings.format not in Format.values:
        raise _unknown(gettext_noop("“%(name)s” isn’t a format. Choose from: %(known)s."), settings.format, "format")
    if settings.speed not in SPEEDS:
        raise _unknown(gettext_noop("“%(name)s” isn’t a speed. Choose from: %(known)s."), settings.speed, "speed")
    if not SHORTEST <= settings.round_length <= LONGEST:
        raise Refusal("malformed", Phrase(gettext_noop("A round must take from an hour to 90 days.")), "round_length")
    for number in _numbers(settings):
        number.check(settings)
    pause = settings.season_break
    if not (pause is not None and SHORTEST <= pause <= LONGEST if settings.format == Format.LEAGUE else pause is None):
        sentence = gettext_noop(
            "The break between two seasons of a league must be from an hour to 90 days. For other formats leave it out."
        )
        raise Refusal("malformed", Phrase(sentence), "season_break")


def _numbers(settings: NewTournament) -> Iterable[_Number]:
    """Yield the settings that only one format needs."""
    rounds = gettext_noop(
        "A Swiss tournament must have from 1 to %(most)s rounds. Other formats end by themselves: leave it out."
    )
    advance = gettext_noop(
        "In a knock-out, from 1 to %(most)s players can go on at each table of this size. For other formats leave it "
        "out."
    )
    size = gettext_noop(
        "A division of a league with tables of this size must have from %(least)s to %(most)s players. For other "
        "formats leave it out."
    )
    promoted = gettext_noop(
        "In a league, from 1 to %(most)s players can go up from a division of this size. For other formats leave it "
        "out."
    )
    yield _Number("rounds", Format.SWISS, 1, MOST_ROUNDS, rounds)
    yield _Number("advance", Format.KNOCK_OUT, 1, settings.table_size - 1, advance)
    yield _Number("division_size", Format.LEAGUE, max(LEAST_DIVISION, settings.table_size), MOST_DIVISION, size)
    yield _Number("promoted", Format.LEAGUE, 1, (settings.division_size or 0) // 2, promoted)


def _unknown(sentence: str, name: str, field: str) -> Refusal:
    valid = Format.values if field == "format" else list(SPEEDS)
    listed = tuple(Phrase("%(name)s", {"name": Notation(value)}) for value in valid)
    return Refusal("malformed", Phrase(sentence, {"name": Notation(name[:40]), "known": listed}), field)


def _check_tables(rules: AnyRules, settings: NewTournament) -> None:
    least = least_at_table(rules)
    if not least <= settings.table_size <= max(rules.players):
        sentence = gettext_noop("A table of this game must have from %(least)s to %(most)s players.")
        raise Refusal("malformed", Phrase(sentence, {"least": least, "most": max(rules.players)}), "table_size")
    for size in range(least, settings.table_size + 1):
        chosen_options(rules, settings.options, size)


def _most(settings: NewTournament) -> int:
    """Return the maximum number of entries. Raises Refusal(malformed)."""
    limit = MOST_ENTRIES[settings.format]
    if settings.most is None:
        return limit
    if not LEAST_ENTRIES <= settings.most <= limit:
        sentence = gettext_noop("A tournament of this format must have from %(least)s to %(most)s players.")
        raise Refusal("malformed", Phrase(sentence, {"least": LEAST_ENTRIES, "most": limit}), "most")
    return settings.most


def _club(host: Account, club: UUID | None) -> Club | None:
    """Return and lock the club of a tournament, if its host may hold tournaments in it. Raises Refusal."""
    if club is None:
        return None
    try:
        membership = lock_membership(get_membership(host, club))
    except Refusal:
        raise Refusal("malformed", Phrase(gettext_noop("You’re not in this club.")), "club") from None
    require(membership, Right.HOLD)
    return membership.club
