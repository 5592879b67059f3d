"""Rematches."""

import re
from datetime import timedelta
from typing import Any, Final

import pytest
import time_machine
from django.utils import timezone

from accounts import blocks
from accounts.models import Account
from games.account_data import export_data
from games.announcements import notify
from games.event_log import log_store
from games.models import Bot, Game, Move, RematchOffer
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.tables import rematch as rematch_sweep
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.rematch import accept_rematch
from games.tables.starting import create_game
from notifications.models import Notification, State
from tests.cast import signed_in
from tests.games.api.conftest import client
from tests.games.finished import play_again
from tests.games.unseen import RANDOM, world
from tests.third_game.table import LATER, NOON, fresh

pytestmark = pytest.mark.django_db
_CHANGING: Final = re.compile(r'(csrfmiddlewaretoken" value="|data-csrf="|data-digest="|last-event-id=)[^"]+')


def seated(*people: Account, **options: Any) -> Game:
    """A running game of Coup."""
    new_game = NewGame(**{"rules": "coup", "seat_count": len(people), **options})
    game = create_game(people[0], new_game, "api", NOON)
    for person in people[1:]:
        game = join_game(game.id, person, "", "api", NOON)
    return game


def won_by(winner: Account, game: Game) -> Game:
    """Return the game after all other players have resigned."""
    for seat in game.seats.exclude(account=winner):
        store_move(fresh(game), seat.account, WrittenMove("", "resign yes"), Move.Via.API, LATER)
        resolve(game.id, LATER)
    return fresh(game)


def rematch(person: Account, game: Game, **body: Any) -> Any:
    return client(person).post(f"/api/v1/games/{game.id}/rematch/", body, format="json")


def declined(person: Account, game: Game) -> int:
    return client(person).delete(f"/api/v1/games/{game.id}/rematch/").status_code


def test_a_rematch_starts_once_all_have_accepted_and_nobody_is_in_it_before(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = won_by(sepideh, seated(maryam, bahareh, sepideh, options={"inquisitor": True}))
    assert client(bahareh).get(f"/api/v1/games/{game.id}/rematch/").status_code == 404
    offer = rematch(bahareh, game).json()
    assert (offer["state"], offer["seat"], offer["game"]) == ("offered", 2, None)
    assert [answer["accepted"] for answer in offer["answers"]] == [None, True, None]
    rematch(sepideh, game)
    assert Game.objects.count() == 1
    again = rematch(maryam, game).json()
    assert again == client(sepideh).get(f"/api/v1/games/{game.id}/rematch/").json()
    new_game = client(maryam).get(f"/api/v1/games/{again['game']}/").json()
    assert (again["state"], new_game["state"], new_game["options"]["inquisitor"]) == ("started", "running", True)
    assert [seat["name"] for seat in new_game["seats"]] == [account.name for account in (maryam, bahareh, sepideh)]
    assert new_game["commitment"] != game.commitment
    assert client(maryam).get(f"/api/v1/games/{game.id}/").json()["rematch"] == again["game"]


@pytest.fixture
def game(maryam: Account, bahareh: Account, sepideh: Account) -> Game:
    """A game of three that Sepideh has won."""
    return won_by(sepideh, seated(maryam, bahareh, sepideh))


def test_whoever_declines_is_not_in_the_game_of_the_others(
    maryam: Account, bahareh: Account, sepideh: Account, game: Game
) -> None:
    rematch(maryam, game)
    rematch(sepideh, game)
    assert declined(bahareh, game) == 204
    again = fresh(game).rematch
    assert again is not None
    assert [seat.account for seat in again.seats.all()] == [maryam, sepideh]
    assert (rematch(bahareh, game).status_code, declined(bahareh, game)) == (409, 204)


def test_a_yes_can_be_taken_back_before_the_game_starts(
    maryam: Account, bahareh: Account, sepideh: Account, game: Game
) -> None:
    rematch(maryam, game)
    assert declined(maryam, game) == 204
    rematch(sepideh, game)
    rematch(bahareh, game)
    again = fresh(game).rematch
    assert again is not None
    assert [seat.account for seat in again.seats.all()] == [bahareh, sepideh]


def test_after_its_time_a_rematch_starts_with_those_who_have_accepted(
    maryam: Account, sepideh: Account, game: Game
) -> None:
    accept_rematch(game.id, maryam, {}, "api", LATER)
    accept_rematch(game.id, sepideh, {}, "api", LATER)
    until = RematchOffer.objects.get().until
    assert until == LATER + timedelta(days=1)
    rematch_sweep.sweep(until - timedelta(seconds=1))
    assert fresh(game).rematch is None
    rematch_sweep.sweep(until)
    again = fresh(game).rematch
    assert again is not None
    assert (again.state, [seat.account for seat in again.seats.all()]) == (Game.State.RUNNING, [maryam, sepideh])


def test_with_too_few_players_there_is_no_rematch_and_the_one_who_accepted_is_notified(
    maryam: Account, bahareh: Account, game: Game
) -> None:
    accept_rematch(game.id, maryam, {}, "api", LATER)
    rematch_sweep.sweep(LATER + timedelta(days=1))
    offer = client(bahareh).get(f"/api/v1/games/{game.id}/rematch/").json()
    assert (offer["state"], offer["game"]) == ("lapsed", None)
    assert [row.account for row in Notification.objects.filter(reason="rematch-lapsed")] == [maryam]
    assert rematch(bahareh, game).status_code == 409, "a game has one offer"
    assert Game.objects.count() == 1


def test_a_player_at_the_limit_of_games_is_left_out_and_reads_why(
    maryam: Account, bahareh: Account, sepideh: Account, settings: Any, game: Game
) -> None:
    settings.GAMES_AT_ONCE = 1
    for account in (maryam, bahareh):
        accept_rematch(game.id, account, {}, "api", LATER)
    create_game(maryam, NewGame(rules="coup", seat_count=2, bots=(Bot(),)), "api", LATER)
    accept_rematch(game.id, sepideh, {}, "api", LATER)
    again = fresh(game).rematch
    assert again is not None
    assert [seat.account for seat in again.seats.all()] == [bahareh, sepideh]
    (notification,) = Notification.objects.filter(reason="rematch-lapsed")
    assert notification.account == maryam
    assert "You’re already in 1 games, which is the limit." in repr(notification.content())


def test_if_the_limit_of_games_leaves_too_few_each_player_reads_why(
    maryam: Account, bahareh: Account, settings: Any
) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    settings.GAMES_AT_ONCE = 1
    accept_rematch(game.id, maryam, {}, "api", LATER)
    create_game(maryam, NewGame(rules="coup", seat_count=2, bots=(Bot(),)), "api", LATER)
    assert rematch(bahareh, game).json()["state"] == "lapsed"
    reasons = {row.account: repr(row.content()) for row in Notification.objects.filter(reason="rematch-lapsed")}
    assert "which is the limit" in reasons[maryam]
    assert "Not enough players can take part." in reasons[bahareh]


def test_a_player_whose_fellows_have_closed_their_accounts_plays_the_bots_again(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = seated(maryam, bahareh, sepideh, seat_count=4, bots=(Bot(),))
    Game.objects.update(state=Game.State.OVER)
    Account.objects.filter(pk__in=[bahareh.pk, sepideh.pk]).update(is_active=False)
    again = play_again(fresh(game), maryam, at=LATER)
    assert [seat.account for seat in again.seats.order_by("number")] == [maryam, None]


def test_an_offer_to_closed_accounts_lapses(maryam: Account, bahareh: Account) -> None:
    game = seated(maryam, bahareh, seat_count=3, bots=(Bot(),))
    Game.objects.update(state=Game.State.OVER)
    accept_rematch(game.id, maryam, {}, "api", LATER)
    Account.objects.update(is_active=False)
    rematch_sweep.sweep(LATER + timedelta(days=1))
    assert (RematchOffer.objects.get().open, fresh(game).rematch) == (False, None)


def test_an_offer_waits_while_its_rules_are_not_installed(maryam: Account, bahareh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    until = accept_rematch(game.id, maryam, {}, "api", LATER).offer.until
    Game.objects.update(rules="gone")
    rematch_sweep.sweep(LATER + timedelta(days=2))
    offer = RematchOffer.objects.get()
    assert (offer.open, offer.until) == (True, until)
    assert not any(rows.exists() for rows in rematch_sweep.waiting(LATER + timedelta(days=2)))


def test_a_fast_game_has_a_short_offer(maryam: Account, bahareh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh, turn_limit=timedelta(minutes=2)))
    assert accept_rematch(game.id, bahareh, {}, "api", LATER).offer.until == LATER + timedelta(minutes=10)


def test_with_previous_winner_the_winner_starts(
    maryam: Account, bahareh: Account, sepideh: Account, game: Game
) -> None:
    again = play_again(game, maryam, bahareh, sepideh, starting_player="previous_winner")
    assert log_store.position(again).state.starter == 3
    second = won_by(bahareh, again)
    assert log_store.position(play_again(second, maryam, bahareh, sepideh)).state.starter == 2


def test_the_winner_starts_on_another_seat_where_somebody_is_missing(
    maryam: Account, bahareh: Account, sepideh: Account, game: Game
) -> None:
    rematch(maryam, game, options={"starting_player": "previous_winner"})
    declined(bahareh, game)
    rematch(sepideh, game)
    again = fresh(game).rematch
    assert again is not None
    assert log_store.position(again).state.starter == 2


@pytest.mark.parametrize(("declining", "starter"), [(1, 2), (2, 2)])
def test_the_player_who_starts_is_the_same_on_another_seat(
    maryam: Account, bahareh: Account, sepideh: Account, kaveh: Account, declining: int, starter: int
) -> None:
    people = [maryam, bahareh, sepideh, kaveh]
    game = won_by(kaveh, seated(*people))
    absent = people.pop(declining - 1)
    rematch(kaveh, game, options={"starting_player": 3})
    declined(absent, game)
    for account in people:
        rematch(account, game)
    again = fresh(game).rematch
    assert again is not None
    assert again.options["starting_player"] == starter
    assert log_store.position(again).state.starter == starter


def test_a_draw_decides_who_starts_if_the_chosen_player_is_missing(
    maryam: Account, bahareh: Account, sepideh: Account, game: Game
) -> None:
    rematch(maryam, game, options={"starting_player": 3})
    declined(sepideh, game)
    rematch(bahareh, game)
    again = fresh(game).rematch
    assert again is not None
    assert again.options["starting_player"] == "random"


def test_options_of_an_offer_are_in_words_on_the_page(maryam: Account, sepideh: Account) -> None:
    game = won_by(maryam, seated(maryam, sepideh))
    rematch(maryam, game, options={"starting_player": 2, "waiting": "hidden"})
    page = signed_in(maryam).get(f"/games/{game.pk}/").content.decode()
    assert "Who starts: seat 2" in page
    assert "Who hasn’t answered yet: hidden" in page
    assert "صندلی ۲" in signed_in(sepideh).get(f"/games/{game.pk}/").content.decode()


def test_an_offer_is_accepted_as_it_is(maryam: Account, bahareh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    rematch(maryam, game, options={"starting_player": 2})
    assert rematch(bahareh, game, options={"starting_player": 1}).status_code == 409
    assert rematch(bahareh, game, options={"starting_player": 2}).json()["state"] == "started"


def test_two_who_offer_it_accept_the_same(maryam: Account, bahareh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    rematch(maryam, game)
    assert rematch(maryam, game).json() == client(bahareh).get(f"/api/v1/games/{game.id}/rematch/").json()
    assert rematch(bahareh, game).json()["game"] == str(fresh(game).rematch_id)
    assert (Game.objects.count(), RematchOffer.objects.count()) == (2, 1)


def test_one_who_has_left_the_server_is_not_waited_for(maryam: Account, bahareh: Account, sepideh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh, sepideh))
    bahareh.delete()
    again = play_again(game, maryam, sepideh)
    assert [(seat.bot, seat.account) for seat in again.seats.all()] == [(False, maryam), (False, sepideh)]


def test_where_all_others_have_left_there_is_no_rematch(maryam: Account, bahareh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    bahareh.delete()
    assert rematch(maryam, game).status_code == 409


def test_against_bots_alone_a_rematch_starts_at_once(maryam: Account) -> None:
    game = seated(maryam, bots=(Bot(), Bot()), seat_count=3)
    Game.objects.filter(pk=game.pk).update(state=Game.State.OVER)
    again = rematch(maryam, game).json()
    assert (again["state"], Game.objects.get(pk=again["game"]).seats.filter(bot=True).count()) == ("started", 2)


def test_a_game_that_is_not_over_has_no_rematch(maryam: Account, bahareh: Account) -> None:
    answer = rematch(maryam, seated(maryam, bahareh))
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


def test_the_home_page_shows_an_offer_until_it_is_answered(maryam: Account, bahareh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    rematch(maryam, game)
    offer = "See the offer"
    assert [offer in signed_in(account).get("/").content.decode() for account in (maryam, bahareh)] == [False, True]
    declined(bahareh, game)
    assert offer not in signed_in(bahareh).get("/").content.decode()


def test_the_page_says_that_the_player_who_offered_does_not_take_part(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = won_by(maryam, seated(maryam, bahareh, sepideh))
    rematch(maryam, game)
    declined(maryam, game)
    pages = [signed_in(account).get(f"/games/{game.pk}/").content.decode() for account in (maryam, bahareh)]
    assert "You’ve declined a rematch. You can still accept it." in pages[0]
    assert "offered a rematch, but is no longer in it." in pages[1]
    notify.write_due(timezone.now())
    email = Notification.objects.filter(reason="rematch-offered", account=bahareh).get().content()
    assert email.headline.startswith("Do you want a rematch of Coup")


def test_an_email_about_an_offer_that_was_answered_meanwhile_is_not_sent(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = won_by(maryam, seated(maryam, bahareh, sepideh))
    accept_rematch(game.id, maryam, {}, "api", NOON)
    assert declined(bahareh, game) == 204
    notify.write_due(NOON)
    states = Notification.objects.filter(reason="rematch-offered").values_list("account", "state")
    assert set(states) == {(bahareh.pk, State.DROPPED), (sepideh.pk, State.READY)}


def test_to_accept_again_and_again_is_limited(maryam: Account, bahareh: Account, settings: Any) -> None:
    settings.GAMES_PER_HOUR = 3
    game = won_by(maryam, seated(maryam, bahareh))
    codes = []
    for _ in range(5):
        codes.append(rematch(maryam, game).status_code)
        declined(maryam, game)
    assert codes[-1] == 429


def test_only_those_who_sat_there_may_offer_one_or_see_the_offer(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    rematch(maryam, game)
    assert rematch(kaveh, game).status_code == 403
    assert client(kaveh).get(f"/api/v1/games/{game.id}/rematch/").status_code == 403
    assert declined(kaveh, game) == 403


@pytest.mark.parametrize(
    "options", [{"waiting": "nobody"}, {"previous_winners": [1]}, {"prompts": "separate"}, {"starting_player": 5}]
)
def test_options_that_cannot_be_played_are_named_and_nothing_is_offered(
    maryam: Account, bahareh: Account, options: dict[str, Any]
) -> None:
    answer = rematch(maryam, won_by(maryam, seated(maryam, bahareh)), options=options)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert not RematchOffer.objects.exists()


# Two worlds: with a block and without.


@time_machine.travel(LATER, tick=False)
@pytest.mark.parametrize("offerer", ["maryam", "bahareh", "sepideh"])
@pytest.mark.parametrize("blocker", ["maryam", "bahareh"])
def test_a_blocked_player_learns_nothing_of_the_block_from_a_rematch(
    maryam: Account, bahareh: Account, sepideh: Account, offerer: str, blocker: str
) -> None:
    people = {"maryam": maryam, "bahareh": bahareh, "sepideh": sepideh}
    blocked = people.pop("bahareh" if blocker == "maryam" else "maryam")
    others = [account for name, account in people.items() if name != blocker]
    game = won_by(sepideh, seated(maryam, bahareh, sepideh))
    Game.objects.update(code="abcdefghjkmn")
    results = []
    for is_blocked in (False, True):
        with world():
            if is_blocked:
                blocks.block(people[blocker], blocked, NOON)
            contents = []
            first = {**people, "bahareh": bahareh, "maryam": maryam}[offerer]
            order = [first, *(account for account in (maryam, bahareh, sepideh) if account != first)]
            for account in order:
                rematch(account, game, **({"options": {"starting_player": 2}} if account == first else {}))
                for reader in (blocked, *others):
                    answer = client(reader).get(f"/api/v1/games/{game.id}/rematch/")
                    page = signed_in(reader).get(f"/games/{game.pk}/")
                    contents.append(
                        RANDOM.sub("x", _CHANGING.sub("x", answer.content.decode() + page.content.decode()))
                    )
            again = fresh(game).rematch
            assert again is not None
            assert again.seats.count() == 3
            notify.write_due(LATER)
            emails = Notification.objects.filter(account__in=(blocked, *others), reason__startswith="rematch")
            rendered = [repr(row.content()) for row in emails if row.rendered]
            results.append((contents, sorted(RANDOM.sub("x", text) for text in rendered)))
    assert results[0] == results[1]


def test_an_offer_of_a_blocked_player_comes_by_no_email_and_can_be_accepted_on_the_page(
    maryam: Account, bahareh: Account
) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    blocks.block(bahareh, maryam, NOON)
    rematch(maryam, game)
    notify.write_due(timezone.now())
    assert Notification.objects.get(reason="rematch-offered").state == State.DROPPED
    page = signed_in(bahareh).get(f"/games/{game.pk}/").content.decode()
    assert "Maryam offers a rematch." in page
    assert "You’ve blocked a player who may accept too: Maryam." in page
    assert rematch(bahareh, game).json()["state"] == "started"


def test_an_export_has_only_the_answers_of_its_account(maryam: Account, bahareh: Account, sepideh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh, sepideh))
    rematch(maryam, game)
    assert declined(bahareh, game) == 204
    exported = [export_data(account)["rematch_answers"] for account in (maryam, bahareh, sepideh)]
    assert exported == [[{"accepted": True, "game": game.pk}], [{"accepted": False, "game": game.pk}], []]
