"""Clubs: who may do what in them, how people come and go, and what becomes of a club whose owner leaves."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest

from accounts.account_data import export_account
from accounts.models import Account, ModerationAction
from games import clubs
from games.account_data import delete_data
from games.clubs import get_membership
from games.models import Club, ClubChannel, Membership
from games.moderation import Kind, NewModerationAction, moderate
from games.refusals import Refusal
from notifications.email.message import message
from notifications.models import Notification
from tests.examples import for_each
from tests.games.clubs.club_cast import Cast
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db
ROLES: Final = ("stranger", "member", "organizer", "owner")
WEBHOOK: Final = "https://discord.com/api/webhooks/42/wnD3-v_9xQz1"


def code_of(call: Callable[[], object]) -> str:
    """Return the code of the refusal, or a blank text if there is none."""
    try:
        call()
    except Refusal as refusal:
        return refusal.code
    return ""


ACTS: Final[dict[str, tuple[Callable[[Membership, Cast], object], str]]] = {
    "change the name": (lambda member, cast: clubs.change_club(member, name="Liars"), "organizer owner"),
    "make a new link": (lambda member, cast: clubs.renew_link(member), "organizer owner"),
    "connect a chat": (
        lambda member, cast: clubs.connect_chat(member, "discord", "", WEBHOOK, NOON),
        "organizer owner",
    ),
    "disconnect it": (lambda member, cast: clubs.disconnect_chat(member), "organizer owner"),
    "remove a member": (
        lambda member, cast: clubs.remove_member(member, cast.place("member").pk),
        "member organizer owner",
    ),
    "remove an organizer": (
        lambda member, cast: clubs.remove_member(member, cast.place("organizer").pk),
        "organizer owner",
    ),
    "remove the owner": (lambda member, cast: clubs.remove_member(member, cast.place("owner").pk), ""),
    "give a role": (lambda member, cast: clubs.appoint(member, cast.place("member").pk, "organizer", NOON), "owner"),
    "hand it over": (lambda member, cast: clubs.appoint(member, cast.place("member").pk, "owner", NOON), "owner"),
    "close it": (lambda member, cast: clubs.close_club(member), "owner"),
    "leave": (lambda member, cast: clubs.remove_member(member, member.pk), "member organizer"),
    "see who is in it": (lambda member, cast: clubs.list_members(member), "member organizer owner"),
    "hear of its games": (lambda member, cast: clubs.set_notifications(member, hears=True), "member organizer owner"),
}
"""Acts in a club, and the roles that may do them. Members who may leave may remove themselves."""


@for_each("role", ROLES)
@for_each("act", ACTS, undone=True)
def test_each_role_may_do_what_the_table_says(cast: Cast, role: str, act: str) -> None:
    do, allowed = ACTS[act]
    code = code_of(lambda: do(cast.place(role), cast))
    assert (not code) == (role in allowed.split())
    if role == "stranger":
        assert code == "not-found"


CHANGES: Final = ("change the name", "make a new link", "connect a chat", "disconnect it", "remove a member")
"""Acts of an organizer, who loses the right to them in the meantime."""


def test_an_organizer_who_was_demoted_since_the_page_was_read_organizes_nothing(cast: Cast) -> None:
    before = cast.place("organizer")
    clubs.appoint(cast.place("owner"), before.pk, "member", NOON)
    codes = {act: code_of(lambda act=act: ACTS[act][0](before, cast)) for act in CHANGES}
    assert codes == dict.fromkeys(CHANGES, "forbidden")


def test_an_organizer_who_was_removed_since_the_page_was_read_finds_no_club(cast: Cast) -> None:
    before = cast.place("organizer")
    clubs.remove_member(cast.place("owner"), before.pk)
    codes = {act: code_of(lambda act=act: ACTS[act][0](before, cast)) for act in (*CHANGES, "hear of its games")}
    assert set(codes.values()) == {"not-found"}, codes


def test_who_has_handed_the_club_over_a_moment_ago_gives_no_more_roles(cast: Cast) -> None:
    before, heir = cast.place("owner"), cast.place("member")
    clubs.appoint(before, heir.pk, "owner", NOON)
    for role in ("member", "owner"):
        assert code_of(lambda role=role: clubs.appoint(before, heir.pk, role, NOON)) == "forbidden"
    assert code_of(lambda: clubs.remove_member(heir, heir.pk)) == "conflict"
    assert cast.place("member").role == "owner"


def test_who_leaves_the_server_passes_on_a_club_that_became_theirs_a_moment_ago(cast: Cast) -> None:
    before = cast.place("member")
    clubs.appoint(cast.place("owner"), before.pk, "owner", NOON)
    clubs.leave_for_good(before, NOON)
    owner, heir = sorted((cast.place("owner"), cast.place("organizer")), key=lambda item: item.role)
    assert (owner.role, heir.role) == ("organizer", "owner")
    clubs.close_club(heir)
    assert code_of(lambda: clubs.leave_for_good(owner, NOON)) == "not-found"


def test_a_new_link_ends_the_old_one(cast: Cast) -> None:
    old = cast.club.code
    clubs.renew_link(cast.place("organizer"))
    assert code_of(lambda: clubs.join_club(cast.stranger, old, NOON)) == "not-found"
    clubs.join_club(cast.stranger, Club.objects.get().code.upper(), NOON)
    assert cast.place("stranger").role == "member"


def test_who_was_removed_does_not_come_back_by_the_link_that_they_know_and_who_left_does(cast: Cast) -> None:
    old = cast.club.code
    clubs.remove_member(cast.place("member"), cast.place("member").pk)
    clubs.join_club(cast.member, old, NOON)
    clubs.remove_member(cast.place("organizer"), cast.place("member").pk)
    assert code_of(lambda: clubs.join_club(cast.member, old, NOON)) == "not-found"


def test_joining_twice_changes_nothing(cast: Cast) -> None:
    own_join_club = clubs.join_club(cast.organizer, cast.club.code, NOON)
    assert (own_join_club.role, Membership.objects.count()) == ("organizer", 3)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"name": "…"}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "See www.example.org"}, "name"),
        ({"about": "https://example.org"}, "about"),
        ({"about": "x" * 301}, "about"),
    ],
)
def test_what_a_club_cannot_be_called_is_refused_and_nothing_changes(
    maryam: Account, data: dict[str, str], field: str
) -> None:
    with pytest.raises(Refusal) as caught:
        clubs.create_club(maryam, **{"name": "Liars", "about": "", **data}, now=NOON)
    assert (caught.value.code, caught.value.field) == ("malformed", field)
    assert not Club.objects.exists()


def test_a_name_is_kept_in_one_line_without_marks_that_cannot_be_seen(maryam: Account) -> None:
    own_club = clubs.create_club(maryam, "  Thursday\n\u202eliars ", "", NOON)
    assert own_club.club.name == "Thursday liars"


def test_an_account_owns_few_clubs_and_creates_few_in_a_day(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(clubs.MOST_OWNED):
        clubs.create_club(maryam, f"Club {number}", "", NOON)
    assert code_of(lambda: clubs.create_club(maryam, "One more", "", NOON)) == "limit-reached"
    monkeypatch.setattr(clubs, "MOST_OWNED", 100)
    codes = [code_of(lambda: clubs.create_club(maryam, "One more", "", NOON)) for _ in range(6)]
    assert codes == [""] * 5 + ["rate-limited"]


def test_a_club_has_room_for_so_many_and_so_has_a_person(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, maryam: Account
) -> None:
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 3)
    assert code_of(lambda: clubs.join_club(cast.stranger, cast.club.code, NOON)) == "limit-reached"
    monkeypatch.setattr(clubs, "MOST_CLUBS", 0)
    assert code_of(lambda: clubs.create_club(cast.stranger, "One more", "", NOON)) == "limit-reached"
    assert code_of(lambda: clubs.join_club(cast.stranger, cast.club.code, NOON)) == "limit-reached"


def test_a_bot_account_joins_a_club_and_neither_creates_nor_owns_one(cast: Cast) -> None:
    robot = Account.objects.create_user("robot@example.org", name="Robot", is_bot=True)
    assert code_of(lambda: clubs.create_club(robot, "Machines", "", NOON)) == "forbidden"
    place = clubs.join_club(robot, cast.club.code, NOON)
    assert code_of(lambda: clubs.appoint(cast.place("owner"), place.pk, "owner", NOON)) == "conflict"


def test_who_hands_a_club_over_becomes_an_organizer_and_the_new_owner_is_told(cast: Cast) -> None:
    clubs.appoint(cast.place("owner"), cast.place("member").pk, "owner", NOON)
    assert [cast.place(role).role for role in ("owner", "member")] == ["organizer", "owner"]
    (notification,) = Notification.objects.filter(reason="club-owner")
    assert notification.account == cast.member
    assert "Thursday liars" in notification.content().headline
    assert "List-Unsubscribe" not in message(notification).extra_headers


def test_the_club_of_an_owner_who_leaves_the_server_goes_to_an_organizer_then_a_member_then_ends(cast: Cast) -> None:
    delete_data(cast.owner, NOON)
    assert cast.place("organizer").role == "owner"
    delete_data(cast.organizer, NOON + timedelta(days=1))
    assert cast.place("member").role == "owner"
    delete_data(cast.member, NOON + timedelta(days=2))
    assert not Club.objects.exists()


def test_a_club_is_not_handed_to_a_suspended_account(cast: Cast) -> None:
    Account.objects.filter(pk=cast.member.pk).update(is_active=False)
    owner, heir = cast.place("owner"), cast.place("member")
    assert code_of(lambda: clubs.appoint(owner, heir.pk, "owner", NOON)) == "conflict"
    assert cast.place("owner").role == "owner"


def test_the_club_of_an_account_that_moderators_close_goes_to_an_organizer_and_not_that_of_a_suspended_one(
    cast: Cast,
) -> None:
    moderator = Account.objects.create_superuser("mod@example.org", name="Mod")
    for kind, role in ((Kind.SUSPEND, "owner"), (Kind.CLOSE, "member")):
        moderate(moderator, NewModerationAction(kind, "Rude.", cast.owner, days=1), NOON)
        assert cast.place("owner").role == role
    assert cast.place("organizer").role == "owner"


def test_organizers_run_the_club_of_a_suspended_owner_and_a_moderator_passes_it_on(cast: Cast) -> None:
    moderator = Account.objects.create_superuser("mod@example.org", name="Mod")
    passing = NewModerationAction(Kind.PASS_CLUBS, "A year is long.", cast.owner)
    assert code_of(lambda: moderate(moderator, passing, NOON)) == "malformed"
    moderate(moderator, NewModerationAction(Kind.SUSPEND, "Rude.", cast.owner, days=365), NOON)
    assert clubs.change_club(cast.place("organizer"), name="Friday liars").club.name == "Friday liars"
    assert code_of(lambda: clubs.close_club(cast.place("organizer"))) == "forbidden"
    cast.owner.refresh_from_db()
    moderate(moderator, passing, NOON)
    assert [cast.place(who).role for who in ("owner", "organizer")] == ["member", "owner"]
    notification = Notification.objects.get(
        reason="moderation", key__endswith=f":{ModerationAction.objects.latest('pk').pk}"
    )
    assert "A year is long." in repr(notification.content())
    assert code_of(lambda: moderate(moderator, passing, NOON)) == "malformed"


@pytest.mark.parametrize("way", ["removed", "demoted"])
def test_a_chat_goes_with_the_organizer_who_connected_it(cast: Cast, way: str) -> None:
    clubs.connect_chat(cast.place("organizer"), "discord", "", WEBHOOK, NOON)
    if way == "removed":
        clubs.remove_member(cast.place("owner"), cast.place("organizer").pk)
    else:
        clubs.appoint(cast.place("owner"), cast.place("organizer").pk, "member", NOON)
    assert not ClubChannel.objects.exists()


def test_the_data_of_an_account_have_its_clubs_and_no_secret(cast: Cast) -> None:
    clubs.connect_chat(cast.place("organizer"), "discord", "", WEBHOOK, NOON)
    data: Any = export_account(cast.organizer, NOON)
    text = str(data)
    assert "Thursday liars" in text
    assert "organizer" in text
    assert "'club_channels': [{'club'" in text
    assert "wnD3" not in text
    assert cast.club.code not in text


def test_the_places_of_others_are_not_to_be_had_by_their_ids(cast: Cast, maryam: Account) -> None:
    other = clubs.create_club(cast.stranger, "Elsewhere", "", NOON)
    assert code_of(lambda: clubs.remove_member(cast.place("owner"), other.pk)) == "not-found"
    assert get_membership(cast.stranger, other.club_id).role == "owner"
