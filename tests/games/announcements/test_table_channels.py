"""The channel of a table: one message in a group's chat, with what a spectator may know and nothing else."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from accounts.account_data import delete_account, export_account
from accounts.models import Account
from games import clubs, tasks
from games.account_data import delete_data
from games.announcements import table_channels
from games.clubs import get_membership
from games.models import ClubChannel, Game, TableChannel, TableHandle
from games.operations import retrying
from games.visibility.words import short_code
from notifications import deliver
from notifications.channels.registry import chat_apps
from notifications.models import BACK_OFF, TRIES, Notification, State
from notifications.set_aside import SetAside
from notifications.tasks import dispatch_messages
from tests.cast import program, signed_in
from tests.games.finished import finished
from tests.games.seated import NOON, begin, play
from tests.notifications.outgoing.receiver import Posted, Receiver, receiving
from tests.slow_posting import TOOK, post_slowly

pytestmark = pytest.mark.django_db
TOKEN: Final = "syt_a2F2ZWg_qMzVYtRw_1k2l3m"
ANSWERS: Final = {
    "discord": {"id": "1200000000000000001", "content": "…"},
    "telegram": {"ok": True, "result": {"message_id": 71, "chat": {"id": 1}}},
    "matrix": {"event_id": "$a-b_c:example.org"},
    "slack": None,
}


@pytest.fixture
def chat(settings: Any) -> Iterator[Receiver]:
    """A server on this machine that stands for the apps' servers."""
    settings.OUTGOING_LOOPBACK = True
    with receiving() as receiver:
        settings.TELEGRAM_SERVER = f"http://localhost:{receiver.port}"
        yield receiver


def place(app: str, chat: Receiver) -> dict[str, str]:
    here = f"http://localhost:{chat.port}"
    return {
        "discord": {"address": "", "secret": f"{here}/api/webhooks/42/wnD3-v_9xQz1"},
        "slack": {"address": "", "secret": f"{here}/services/T0/B0/Xq9z1"},
        "telegram": {"address": "-1001234567890", "secret": "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"},
        "matrix": {"address": f"{here}/!court:example.org", "secret": TOKEN},
    }[app]


def hosted(host: Account, *others: Account) -> Game:
    game = begin([host, *others])
    Game.objects.filter(pk=game.pk).update(host=host)
    game.refresh_from_db()
    return game


def connected(game: Game, chat: Receiver, app: str = "discord") -> TableChannel:
    assert game.host is not None
    chat.answers = [200] * 9
    chat.body = json.dumps(ANSWERS[app]).encode() if ANSWERS[app] else b"ok"
    return table_channels.connect(game, game.host, app, **place(app, chat), now=NOON)


def post_due(now: datetime) -> int:
    """Order and post until nothing is due. Return the number of messages."""
    table_channels.order_due(now)
    return sum(iter(lambda: deliver.dispatch_messages_due(now), 0))


def contents(chat: Receiver) -> list[dict[str, Any]]:
    return [json.loads(posted.body) for posted in chat.taken]


@pytest.mark.parametrize("app", ANSWERS)
def test_one_message_says_whose_turn_it_is_and_is_edited_in_place(app: str, chat: Receiver, game: Game) -> None:
    connected(game, chat, app)
    assert post_due(NOON) == 1
    play(game, "1 income")
    later = NOON + timedelta(hours=2)
    assert post_due(later) == 1
    assert post_due(later + timedelta(hours=2)) == 0
    first, second = chat.taken
    one, other = contents(chat)
    match app:
        case "discord":
            assert (first.method, first.path) == ("POST", "/api/webhooks/42/wnD3-v_9xQz1?wait=true")
            assert (second.method, second.path) == (
                "PATCH",
                "/api/webhooks/42/wnD3-v_9xQz1/messages/1200000000000000001",
            )
            assert "Maryam" in one["content"]
            assert one["content"] != other["content"]
        case "telegram":
            assert (first.path.split("/")[-1], second.path.split("/")[-1]) == ("sendMessage", "editMessageText")
            assert other["message_id"] == 71
        case "matrix":
            assert (one["msgtype"], first.method) == ("m.text", "PUT")
            assert other["m.relates_to"] == {"rel_type": "m.replace", "event_id": "$a-b_c:example.org"}
            assert other["m.new_content"]["body"] == other["body"].removeprefix("* ")
        case "slack":
            assert (first.path, second.path) == ("/services/T0/B0/Xq9z1",) * 2


def test_two_worlds_that_differ_in_hands_read_alike_and_an_answer_in_an_open_window_shows_nothing(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    texts = []
    for deal in (
        ["contessa", "duke", "captain", "contessa", "assassin", "duke"],
        ["duke", "duke", "duke", "captain", "captain", "captain"],
    ):
        game = begin([maryam, sepideh, bahareh], deal)
        Game.objects.filter(pk=game.pk).update(host=maryam)
        game.refresh_from_db()
        play(game, "1 tax")
        channel = connected(game, chat)
        statuses = [table_channels.write_status(channel)]
        post_due(NOON)
        before = len(chat.taken)
        play(game, "2 allow")
        assert post_due(NOON + timedelta(minutes=5)) == 0
        assert len(chat.taken) == before
        play(game, "3 allow")
        channel = TableChannel.objects.select_related("game").get(pk=game.pk)
        statuses.append(table_channels.write_status(channel))
        texts.append([text.replace(str(game.pk), "").replace(short_code(game), "") for text in statuses])
        channel.delete()
    assert texts[0] == texts[1]
    assert texts[0][0] != texts[0][1]


HANDLES: Final = {
    "discord": ("204255221017214977", "<@204255221017214977>"),
    "slack": ("U012AB3CD", "<@U012AB3CD>"),
    "telegram": ("@mary_a", "@mary_a"),
    "matrix": ("@maryam:example.org", "@maryam:example.org"),
}


@pytest.mark.parametrize("app", ANSWERS)
def test_a_reminder_comes_once_when_a_quarter_of_the_time_is_left_and_mentions_whose_turn_it_is(
    app: str, chat: Receiver, maryam: Account, game: Game
) -> None:
    channel = connected(game, chat, app)
    handle, mention = HANDLES[app]
    table_channels.give_handle(channel, maryam, handle)
    post_due(NOON)
    game.refresh_from_db()
    assert game.due_at is not None
    at = NOON + (game.due_at - NOON) * 0.75
    assert post_due(at - timedelta(minutes=1)) == 0
    assert [queryset.exists() for queryset in table_channels.waiting(at)] == [False, True, False]
    assert post_due(at) == 1
    assert post_due(at + timedelta(hours=1)) == 0
    first, second = contents(chat)
    text = second.get("content") or second.get("text") or second.get("body")
    assert mention in text
    assert "A reminder for" in text
    assert mention not in str(first)
    assert "message_id" not in second
    assert "m.relates_to" not in second
    if app == "discord":
        assert second["allowed_mentions"] == {"parse": [], "users": [handle]}
    if app == "matrix":
        assert second["m.mentions"] == {"user_ids": [handle]}


def test_a_channel_that_had_to_wait_for_others_is_taken_at_the_time_of_its_own_posting(
    chat: Receiver, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        connected(hosted(maryam, sepideh), chat)
    tasks.post_to_chats()
    Notification.objects.update(next_attempt_at=NOON)
    post_slowly(monkeypatch, NOON, deliver)
    dispatch_messages()
    again_at = TableChannel.objects.order_by("next_change_at").values_list("next_change_at", flat=True)
    assert again_at[1] - again_at[0] >= TOOK
    assert len(chat.taken) == 2


def test_a_reminder_that_had_to_wait_for_others_does_not_come_once_the_time_is_over(
    chat: Receiver, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        connected(hosted(maryam, sepideh), chat)
    post_due(NOON)
    due_at = NOON + timedelta(hours=5)
    Game.objects.update(due_at=due_at)
    TableChannel.objects.update(remind_at=NOON)
    chat.taken.clear()
    table_channels.order_due(NOON)
    post_slowly(monkeypatch, due_at - TOOK / 2, deliver)
    dispatch_messages()
    assert len(chat.taken) == 1
    assert not TableChannel.objects.filter(remind_at__isnull=False).exists()
    assert not Notification.objects.filter(state=State.READY, endpoint__isnull=False).exists()


def reminders(chat: Receiver) -> list[Posted]:
    return [posted for posted in chat.taken if b"A reminder for" in posted.body]


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    return hosted(maryam, sepideh, bahareh)


@pytest.fixture
def channel(game: Game, chat: Receiver) -> TableChannel:
    """A chat of Discord that shows the game."""
    return connected(game, chat)


def test_a_reminder_that_was_not_taken_is_tried_again(chat: Receiver, game: Game, channel: TableChannel) -> None:
    post_due(NOON)
    chat.answers = [503]
    at = TableChannel.objects.get(pk=game.pk).remind_at
    assert at is not None
    post_due(at)
    assert post_due(at + BACK_OFF) == 1
    assert len(reminders(chat)) == 2
    assert post_due(at + timedelta(hours=1)) == 0


def test_a_reminder_that_is_not_taken_does_not_hold_up_the_next_state_of_the_game(
    chat: Receiver, game: Game, channel: TableChannel
) -> None:
    post_due(NOON)
    chat.answers = [429]
    at = TableChannel.objects.get(pk=game.pk).remind_at
    assert at is not None
    post_due(at)
    play(game, "1 income")
    assert post_due(at + BACK_OFF / 2) == 1
    assert is_edit(chat.taken[-1])
    assert post_due(at + BACK_OFF) == 0, "it was about the state before"


def test_a_reminder_whose_failure_was_just_being_recorded_does_not_hold_up_the_next_state_either(
    chat: Receiver, game: Game, channel: TableChannel
) -> None:
    post_due(NOON)
    chat.answers = [429]
    at = TableChannel.objects.get(pk=game.pk).remind_at
    assert at is not None
    post_due(at)
    play(game, "1 income")
    table_channels.order_due(at + BACK_OFF / 4)
    reminder = Notification.objects.filter(reason=table_channels.REMINDER)
    assert reminder.update(state=State.READY), "as if a worker had held its lock"
    assert any(rows.exists() for rows in table_channels.waiting(at + BACK_OFF / 4))
    assert post_due(at + BACK_OFF / 2) == 1
    assert is_edit(chat.taken[-1])


def test_a_result_that_cannot_be_stored_counts_as_a_failure_and_does_not_stop_the_others(
    chat: Receiver, maryam: Account, sepideh: Account
) -> None:
    for _ in range(2):
        connected(hosted(maryam, sepideh), chat)
    chat.bodies = [json.dumps({"id": "1\0"}).encode()]
    assert post_due(NOON) == 2
    statuses = Notification.objects.filter(reason="table-status")
    assert sorted(statuses.values_list("state", "attempts")) == [(State.READY, 1), (State.SENT, 1)]


def test_reminders_of_two_worlds_are_alike_and_an_answer_in_an_open_window_changes_neither_their_time_nor_words(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    worlds = []
    for deal, answer in (
        (["contessa", "duke", "captain", "contessa", "assassin", "duke"], "2 allow"),
        (["duke", "duke", "duke", "captain", "captain", "captain"], ""),
    ):
        game = begin([maryam, sepideh, bahareh], deal)
        Game.objects.filter(pk=game.pk).update(host=maryam)
        game.refresh_from_db()
        play(game, "1 tax")
        channel = connected(game, chat)
        for account in (maryam, sepideh, bahareh):
            table_channels.give_handle(channel, account, HANDLES["discord"][0])
        post_due(NOON)
        if answer:
            play(game, answer)
        channel = TableChannel.objects.select_related("game").get(pk=game.pk)
        text, handle = table_channels.write_reminder(channel)
        worlds.append((channel.remind_at, handle, text.replace(str(game.pk), "").replace(short_code(game), "")))
        channel.delete()
    assert worlds[0] == worlds[1]
    assert worlds[0][0] is not None
    assert worlds[0][1] == ""
    assert "A reminder for all who haven’t answered yet." in worlds[0][2]


def test_no_reminder_comes_once_the_game_has_moved_on_and_none_in_a_game_of_minutes(
    chat: Receiver, game: Game, channel: TableChannel
) -> None:
    post_due(NOON)
    play(game, "1 income")
    post_due(NOON + timedelta(days=30))
    assert not any("A reminder for" in message["content"] for message in contents(chat))
    game.refresh_from_db()
    assert game.due_at is not None
    assert table_channels.time_of_reminder(game, game.due_at - timedelta(hours=3)) is None


@pytest.mark.parametrize(
    ("app", "wrong"),
    [
        ("discord", "Maryam"),
        ("slack", "@channel"),
        *(("slack", handle) for handle in ("@here", "@all.")),
        ("telegram", "maryam"),
        ("matrix", "@room"),
    ],
)
def test_a_handle_names_one_person_in_that_app_or_is_refused(
    app: str, wrong: str, chat: Receiver, maryam: Account, sepideh: Account
) -> None:
    game = hosted(maryam, sepideh)
    connected(game, chat, app)
    url = f"/api/v1/group-chats/games/{game.pk}/"
    refused = program(sepideh).patch(url, {"handle": wrong}, content_type="application/json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/handle")
    page = signed_in(maryam).post(f"/games/{game.pk}/channel/handle/", {"handle": wrong}, follow=True)
    assert [str(message) for message in page.context["messages"]] == [str(chat_apps()[app].handle_help)]
    assert not channel_handles()


def channel_handles() -> list[str]:
    return list(TableHandle.objects.values_list("handle", flat=True))


def test_players_give_and_take_away_their_own_handle_which_goes_with_the_account_and_stands_in_its_data(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = hosted(maryam, sepideh)
    connected(game, chat, "telegram")
    url = f"/api/v1/group-chats/games/{game.pk}/"
    response = program(sepideh).patch(url, {"handle": "@sepi_deh"}, content_type="application/json")
    assert response.json() == {"app": "telegram", "handle": "@sepi_deh", "works": True}
    assert program(maryam).get(f"/api/v1/group-chats/games/{game.pk}/").json()["handle"] == ""
    assert program(bahareh).patch(url, {"handle": "@baha_reh"}, content_type="application/json").status_code == 403
    signed_in(maryam).post(f"/games/{game.pk}/channel/handle/", {"handle": "@mary_a"})
    assert 'value="@mary_a"' in signed_in(maryam).get(f"/games/{game.pk}/").content.decode()
    assert export_account(sepideh, NOON)["handles"] == [{"game": game.pk, "handle": "@sepi_deh"}]
    program(maryam).patch(url, {"handle": ""}, content_type="application/json")
    assert channel_handles() == ["@sepi_deh"]
    delete_account(sepideh, NOON)
    assert not channel_handles()


def test_the_message_of_a_game_that_is_over_says_once_who_won(
    chat: Receiver, maryam: Account, sepideh: Account
) -> None:
    text = table_channels.write_status(connected(finished([maryam, sepideh]), chat))
    assert text.count(" won the game") == 1, text


def test_an_app_that_is_down_is_tried_again_and_one_that_refuses_is_given_up(
    chat: Receiver, maryam: Account, caplog: pytest.LogCaptureFixture, game: Game, channel: TableChannel
) -> None:
    chat.answers = [503, 404]
    post_due(NOON)
    assert post_due(NOON + BACK_OFF / 2) == 0
    post_due(NOON + BACK_OFF)
    assert TableChannel.objects.get(pk=game.pk).stopped_at == NOON + BACK_OFF
    assert Notification.objects.get(reason="table-status").attempts == 2
    row = SetAside.objects.get()
    assert (row.kind, row.about) == (SetAside.Kind.NOTIFICATION, f"game:{game.pk}")
    assert "wnD3" not in caplog.text
    channel = program(maryam).get(f"/api/v1/group-chats/games/{game.pk}/").json()
    assert channel == {"app": "discord", "handle": "", "works": False}
    assert "Discord no longer takes messages" in signed_in(maryam).get(f"/games/{game.pk}/").content.decode()
    chat.answers, chat.body = [200], json.dumps(ANSWERS["discord"]).encode()
    assert retrying.retry([row], NOON + timedelta(days=1)) == (1, 0)
    post_due(NOON + timedelta(days=1))
    assert program(maryam).get(f"/api/v1/group-chats/games/{game.pk}/").json()["works"] is True


def test_a_chat_that_fails_for_two_days_is_given_up_once_and_no_other_game_waits_for_it(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    games = [hosted(maryam, sepideh, bahareh) for _ in range(2)]
    for game in games:
        connected(game, chat)
    chat.answers = [500, *[200] * 9]
    post_due(NOON)
    failing, other = TableChannel.objects.order_by("-message").values_list("pk", flat=True)[::-1]
    assert TableChannel.objects.get(pk=other).message
    Notification.objects.filter(state=State.READY, endpoint__isnull=False).update(attempts=TRIES - 1)
    chat.answers = [500]
    post_due(NOON + timedelta(days=2))
    assert [bool(row.stopped_at) for row in TableChannel.objects.filter(pk__in=[failing])] == [True]
    assert Notification.objects.filter(reason="failed", account=maryam).count() == 1
    assert post_due(NOON + timedelta(days=3)) == 0


def test_a_message_for_a_chat_that_was_replaced_goes_nowhere(chat: Receiver, game: Game, channel: TableChannel) -> None:
    table_channels.order_due(NOON)
    connected(game, chat, "matrix")
    post_due(NOON)
    assert [posted.method for posted in chat.taken] == ["PUT"]
    assert Notification.objects.filter(endpoint__isnull=False, state=State.DROPPED).count() == 1


def test_an_answer_without_a_message_makes_the_next_one_new(chat: Receiver, game: Game, channel: TableChannel) -> None:
    chat.body = b"<html>"
    post_due(NOON)
    play(game, "1 income")
    post_due(NOON + timedelta(minutes=1))
    assert len(chat.taken) == 1, "an app that names no message is not flooded"
    post_due(NOON + timedelta(hours=1))
    assert [posted.method for posted in chat.taken] == ["POST", "POST"]


def test_the_id_of_a_message_is_found_in_a_long_answer(chat: Receiver, game: Game, channel: TableChannel) -> None:
    chat.body = json.dumps({"content": "…" * 4096, "id": "1200000000000000001"}, ensure_ascii=False).encode()
    post_due(NOON)
    play(game, "1 income")
    post_due(NOON + timedelta(minutes=1))
    assert [posted.method for posted in chat.taken] == ["POST", "PATCH"]


def refusal(description: str, **parameters: object) -> bytes:
    """Return the body of an error of Telegram."""
    return json.dumps({"ok": False, "description": f"Bad Request: {description}", "parameters": parameters}).encode()


@pytest.mark.parametrize(
    ("app", "status", "body"),
    [
        ("discord", 404, b'{"message": "Unknown Message", "code": 10008}'),
        ("telegram", 400, refusal("message to edit not found")),
        ("telegram", 400, refusal("MESSAGE_ID_INVALID")),
        ("telegram", 400, refusal("message can't be edited")),
        ("matrix", 404, b'{"errcode": "M_NOT_FOUND"}'),
    ],
)
def test_a_deleted_message_is_replaced_by_a_new_one_which_is_edited_from_then_on(
    app: str, status: int, body: bytes, chat: Receiver, game: Game
) -> None:
    connected(game, chat, app)
    post_due(NOON)
    play(game, "1 income")
    chat.answers, chat.bodies = [status, 200, 200], [body]
    for minutes in (1, 5):
        post_due(NOON + timedelta(minutes=minutes))
    play(game, "2 income")
    post_due(NOON + timedelta(minutes=10))
    edits = [is_edit(posted) for posted in chat.taken]
    assert edits == [False, True, False, True]
    assert not Notification.objects.filter(reason="failed").exists()


def is_edit(posted: Posted) -> bool:
    return posted.method == "PATCH" or "editMessageText" in posted.path or b"m.replace" in posted.body


def test_a_message_that_already_reads_so_counts_as_posted(chat: Receiver, game: Game) -> None:
    connected(game, chat, "telegram")
    post_due(NOON)
    unchanged = "message is not modified: specified new message content and reply markup are exactly the same"
    chat.answers, chat.bodies = [400, 200], [refusal(unchanged)]
    play(game, "1 income")
    post_due(NOON + timedelta(minutes=1))
    assert post_due(NOON + timedelta(hours=5)) == 0
    play(game, "2 income")
    post_due(NOON + timedelta(hours=6))
    assert [is_edit(posted) for posted in chat.taken] == [False, True, True]


def test_a_group_that_becomes_a_supergroup_is_followed_in_all_games_of_its_club(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    club = clubs.create_club(maryam, "Liars", "", NOON).club
    games = [hosted(maryam, sepideh, bahareh) for _ in range(2)]
    Game.objects.update(club=club)
    chat.answers, chat.body = [200] * 9, json.dumps(ANSWERS["telegram"]).encode()
    clubs.connect_chat(get_membership(maryam, club.pk), "telegram", **place("telegram", chat), now=NOON)
    post_due(NOON)
    play(games[0], "1 income")
    chat.answers = [400, *[200] * 9]
    moved = "group chat was upgraded to a supergroup chat"
    chat.bodies = [refusal(moved, migrate_to_chat_id=-1009876543210)]
    chat.taken.clear()
    for minutes in (1, 5):
        post_due(NOON + timedelta(minutes=minutes))
    play(games[1], "1 income")
    post_due(NOON + timedelta(minutes=10))
    assert [message["chat_id"] for message in contents(chat)] == ["-1001234567890", *["-1009876543210"] * 2]
    assert [is_edit(posted) for posted in chat.taken] == [True, False, False]
    assert ClubChannel.objects.get().address == "-1009876543210"


@pytest.mark.parametrize(
    ("app", "status", "body"),
    [
        ("discord", 404, b'{"message": "Unknown Webhook", "code": 10015}'),
        ("discord", 401, b'{"message": "Invalid Webhook Token", "code": 50027}'),
        ("telegram", 403, refusal("Forbidden: bot was kicked from the group chat")),
        ("telegram", 400, refusal("chat not found")),
        ("telegram", 400, refusal("not enough rights to send text messages to the chat")),
        ("matrix", 403, b'{"errcode": "M_FORBIDDEN"}'),
        ("slack", 404, b"channel_not_found"),
        ("slack", 403, b"invalid_token"),
        ("slack", 410, b"channel_is_archived"),
    ],
)
def test_a_chat_that_is_gone_gets_no_more_messages_and_the_host_is_told_once(
    app: str, status: int, body: bytes, chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = hosted(sepideh, maryam, bahareh)
    connected(game, chat, app)
    post_due(NOON)
    play(game, "1 income")
    chat.answers, chat.body = [status] * 9, body
    for hours in range(2, 30, 4):
        post_due(NOON + timedelta(hours=hours))
    assert len(chat.taken) <= 3, "an edit, and then perhaps a new message"
    assert program(maryam).get(f"/api/v1/group-chats/games/{game.pk}/").json()["works"] is False
    notification = Notification.objects.get(reason="failed")
    assert (notification.account, notification.content().language) == (sepideh, "fa")
    assert chat_apps()[app].app in notification.content().headline


def test_a_thread_of_discord_is_kept_in_the_address_of_its_webhook(chat: Receiver, maryam: Account, game: Game) -> None:
    url, hook = f"/api/v1/group-chats/games/{game.pk}/", place("discord", chat)["secret"]
    for wrong in ("?thread_id=x", "?thread_id=1&thread_id=2", "?with=1", "?thread_id="):
        data = {"app": "discord", "secret": hook + wrong}
        assert program(maryam).put(url, data, content_type="application/json").status_code == 400, wrong
    chat.answers, chat.body = [200] * 9, json.dumps(ANSWERS["discord"]).encode()
    data = {"app": "discord", "secret": f"{hook}?thread_id=1234567890123456789"}
    assert program(maryam).put(url, data, content_type="application/json").status_code == 200
    now = TableChannel.objects.get().next_change_at
    post_due(now)
    play(game, "1 income")
    post_due(now + timedelta(minutes=1))
    assert [posted.path for posted in chat.taken] == [
        "/api/webhooks/42/wnD3-v_9xQz1?wait=true&thread_id=1234567890123456789",
        "/api/webhooks/42/wnD3-v_9xQz1/messages/1200000000000000001?thread_id=1234567890123456789",
    ]


def test_only_the_host_connects_a_chat_and_everybody_at_the_table_learns_of_it(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    url = f"/api/v1/group-chats/games/{game.pk}/"
    data = {"app": "discord", **place("discord", chat)}
    assert program(sepideh).put(url, data, content_type="application/json").status_code == 403
    assert program(maryam).get(url).status_code == 404
    response = program(maryam).put(url, data, content_type="application/json")
    assert (response.status_code, response.json()) == (200, {"app": "discord", "handle": "", "works": True})
    page = signed_in(bahareh).get(f"/games/{game.pk}/").content.decode()
    assert "A message in a chat on Discord shows the state of this game." in page
    assert "wnD3" not in page + str(export_account(maryam, NOON)) + str(TableChannel.objects.get().secret)
    assert program(sepideh).delete(url).status_code == 403
    assert program(maryam).delete(url).status_code == 204
    assert not TableChannel.objects.exists()


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"app": "mail", "secret": "x"}, "/app"),
        ({"app": "discord", "secret": "https://discord.com/channels/1/2"}, "/secret"),
        ({"app": "discord", "address": "here", "secret": "https://discord.com/api/webhooks/1/a"}, "/address"),
        ({"app": "matrix", "address": "https://10.0.0.1/!a:b", "secret": TOKEN}, "/address"),
        ({"app": "telegram", "address": "1"}, "/secret"),
    ],
)
def test_what_cannot_be_a_chat_is_refused_and_changes_nothing(
    maryam: Account, data: dict[str, str], field: str, game: Game
) -> None:
    url = f"/api/v1/group-chats/games/{game.pk}/"
    refused = program(maryam).put(url, data, content_type="application/json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, f"#{field}")
    assert not TableChannel.objects.exists()


def test_a_chat_is_connected_and_disconnected_on_the_page(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game, client = hosted(maryam, sepideh, bahareh), signed_in(maryam)
    address = f"/games/{game.pk}/"
    assert "Choose an app" in client.post(f"{address}channel/", {"app": "fax"}, follow=True).content.decode()
    wrong = client.post(f"{address}channel/", {"app": "telegram", "address": "x", "secret": "1"}, follow=True)
    assert "A Telegram chat is a number" in wrong.content.decode()
    response = client.post(f"{address}channel/", {"app": "matrix", **place("matrix", chat)}, follow=True)
    assert "The chat is connected." in response.content.decode()
    client.post(f"{address}channel/remove/")
    assert not TableChannel.objects.exists()


def test_a_channel_goes_with_its_hosts_account(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    connected(hosted(maryam, sepideh, bahareh), chat)
    delete_data(maryam, NOON)
    assert not TableChannel.objects.exists()
