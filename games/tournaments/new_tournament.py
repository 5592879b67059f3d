"""A tournament as its host wants it, its checks, and its creation."""

from collections.abc import Mapping
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

Format = Tournament.Format
LEAST_ENTRIES: Final = 3
MOST_ENTRIES: Final[Mapping[str, int]] = {Format.SWISS: 256, Format.ROUND_ROBIN: 24, Format.KNOCK_OUT: 256}
MOST_ROUNDS: Final = 15
SHORTEST_ROUND: Final = timedelta(hours=1)
LONGEST_ROUND: Final = timedelta(days=90)
LATEST_START: Final = timedelta(days=180)
MOST_HOSTED: Final = 5
"""The number of tournaments that are not over of one host."""
DAILY: Final = Policy("tournaments", 5, DAY)
"""The number of tournaments that an account may create."""


@dataclass(frozen=True)
class NewTournament:
    """A tournament that somebody wants to hold."""

    name: str
    format: str
    rules: str
    table_size: int
    starts_at: datetime
    round_length: timedelta
    about: str = ""
    rounds: int | None = None
    advance: int | None = None
    most: int | None = None
    """None: as many as the format allows."""
    speed: str = USUAL
    options: Mapping[str, Any] = field(default_factory=dict)
    spectator_delay: timedelta | None = None
    club: UUID | None = None


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


def least_at_table(rules: AnyRules) -> int:
    """The least number of players at a table of a tournament."""
    return max(2, min(rules.players))


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
        **{each: getattr(wanted, each) for each in ("round_length", "starts_at", "spectator_delay")},
        name=name,
        about=about,
        options=dict(wanted.options),
        most=most,
        look_at=wanted.starts_at,
        created_at=now,
    )
    made.commitment = commitment(str(made.pk), bytes(made.seed))
    return made


def _check_format(wanted: NewTournament) -> None:
    if wanted.format not in Format.values:
        raise _unknown(gettext_noop("There is no format “%(name)s”; there are: %(known)s."), wanted.format, "format")
    if wanted.speed not in SPEEDS:
        raise _unknown(gettext_noop("There is no speed “%(name)s”; there are: %(known)s."), wanted.speed, "speed")
    if not SHORTEST_ROUND <= wanted.round_length <= LONGEST_ROUND:
        raise Refusal("malformed", Phrase(gettext_noop("A round takes from an hour to 90 days.")), "round_length")
    _check_number(
        wanted.rounds,
        Format.SWISS,
        wanted.format,
        "rounds",
        MOST_ROUNDS,
        gettext_noop(
            "A Swiss tournament has from 1 to %(most)s rounds. Other formats end by themselves: leave it out."
        ),
    )
    _check_number(
        wanted.advance,
        Format.KNOCK_OUT,
        wanted.format,
        "advance",
        wanted.table_size - 1,
        gettext_noop(
            "In a knock-out, from 1 to %(most)s players go on at each table of this size. "
            "For other formats leave it out."
        ),
    )


def _unknown(sentence: str, name: str, field: str) -> Refusal:
    known = Format.values if field == "format" else list(SPEEDS)
    listed = tuple(Phrase("%(name)s", {"name": Notation(each)}) for each in known)
    return Refusal("malformed", Phrase(sentence, {"name": Notation(name[:40]), "known": listed}), field)


def _check_number(value: int | None, needed_by: str, format: str, field: str, most: int, sentence: str) -> None:
    """Refuse a number that one format needs, and others do not take."""
    fits = value is not None and 1 <= value <= most if format == needed_by else value is None
    if not fits:
        raise Refusal("malformed", Phrase(sentence, {"most": most}), field)


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
