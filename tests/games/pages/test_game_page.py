"""The page of a game: the question, the answers, the view of the reader, and the chat."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from msgspec.structs import replace

from accounts.models import Account
from games.models import ChatMessage, Game, Move, OpenQuestion
from games.play.timeouts import time_out_game
from games.rules.registry import RULES
from games.visibility.picture import style_address, symbols_address
from tests.games.pages.at_home import Page, Visitor
from tests.games.pages.conftest import opened
from tests.games.seated import COURT, NOON, agree, begin, play

pytestmark = pytest.mark.django_db
DEAL = ["contessa", "contessa", "duke", "ambassador"]


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """A game of two, in which Maryam is asked first and both have two days from now."""
    game = begin([maryam, sepideh], DEAL, two_player_setup="dealt")
    OpenQuestion.objects.filter(game=game).update(due_at=timezone.now() + timedelta(days=2))
    return game


def at(account: Account, game: Game) -> Visitor:
    """Return a visitor on the page of the game."""
    visitor = Visitor(account)
    visitor.go(f"/games/{game.pk}/")
    return visitor


def answer(visitor: Visitor, game: Game, **fields: str) -> Page:
    """Answer what the page asks, by number or in notation."""
    return visitor.send(f"/games/{game.pk}/answer/", **{"text": None, **fields})


def test_the_question_stands_there_with_a_button_for_each_answer(maryam: Account, game: Game) -> None:
    page = at(maryam, game).page
    assert "Your move" in page.text
    assert "Answer by" in page.text
    values = [button["value"] for button in page.all("button") if button.get("name") == "answer"]
    assert values == [str(number) for number in range(1, len(values) + 1)]
    assert "Take income: 1 coin" in page.text


def test_what_the_own_cards_force_is_said_with_one_button_and_waits(maryam: Account, game: Game) -> None:
    play(game, "1 tax")
    play(game, "2 challenge")
    page = at(maryam, game).page
    assert "doesn’t believe that you hold the duke, and is right. You lose the contessa." in page.text
    assert "Your only move" in page.text
    assert "Only one move is possible. Confirm it, or Darbar plays “Concede and lose the contessa” for you" in page.text
    assert [button["value"] for button in page.all("button") if button.get("name") == "answer"] == ["1"]


def test_a_question_that_was_closed_while_the_page_was_made_is_not_asked_and_the_page_looks_again(
    maryam: Account, game: Game
) -> None:
    OpenQuestion.objects.filter(
        game=game
    ).delete()  # as another process does that resolves an answer after this page has read the log
    page = Visitor(maryam).go(f"/games/{game.pk}/")
    assert "Answer by" not in page.text
    assert next(attributes for _, attributes in page.elements if attributes.get("id") == "page")["data-refresh"] == "2"


def test_who_is_not_asked_reads_whose_turn_it_is_in_their_language(sepideh: Account, game: Game) -> None:
    page = at(sepideh, game).page
    assert "نوبت Maryam است." in page.text.replace("\u2066", "").replace("\u2069", "")
    assert not [button for button in page.all("button") if button.get("name") == "answer"]


@pytest.fixture
def visitor(maryam: Account, game: Game) -> Visitor:
    """Maryam on the page of the game."""
    return at(maryam, game)


def test_a_button_answers_and_the_page_tells_what_came_of_it(maryam: Account, game: Game, visitor: Visitor) -> None:
    page = answer(visitor, game, answer="1")
    move = Move.objects.get()
    assert (move.state, move.via, move.account) == ("applied", "page", maryam)
    assert visitor.path == f"/games/{game.pk}/"
    assert "Move played." in page.text
    assert "You took income: 1 coin." in page.text


def test_the_page_tells_what_binds_the_server_and_whom_the_game_trusts(game: Game, visitor: Visitor) -> None:
    game.refresh_from_db()
    before = bytes(game.public_head).hex()
    assert game.commitment in visitor.page.text
    assert before in visitor.page.text
    assert "its operator could see or choose them" in visitor.page.text
    assert before not in answer(visitor, game, answer="1").text


def test_the_claims_so_far_are_counted_for_everybody(maryam: Account, sepideh: Account, game: Game) -> None:
    assert "Claims so far" not in at(maryam, game).page.text
    play(game, "1 tax", "2 challenge", "1 concede")
    text = at(maryam, game).page.text.replace("\u2068", "").replace("\u2069", "").replace("\u2066", "")
    assert "Maryam: duke once (caught once)" in text
    assert "مچش ۱ بار گرفته شد" in at(sepideh, game).page.text


def test_an_answer_in_notation_counts_too(maryam: Account, game: Game) -> None:
    answer(at(maryam, game), game, text="  درآمد ")
    assert Move.objects.get().state == "applied"


def test_what_cannot_be_read_is_kept_in_its_field_beside_the_reason(game: Game, visitor: Visitor) -> None:
    page = answer(visitor, game, text="fly to the moon")
    assert Move.objects.get().state == "rejected"
    (alert,) = (attributes for _, attributes in page.elements if attributes.get("role") == "alert")
    assert alert["class"] == "refused"
    assert next(field for field in page.all("input") if field.get("name") == "text")["value"] == "fly to the moon"
    assert visitor.go(f"/games/{game.pk}/").text.count("Your move") == 1
    answer(visitor, game, text="income")
    assert Move.objects.filter(state="applied").count() == 1


def test_nothing_at_all_is_refused_and_nothing_is_stored(maryam: Account, game: Game) -> None:
    assert "A move’s text must have from 1 to 500 characters." in answer(at(maryam, game), game, text="   ").text
    assert not Move.objects.exists()


def test_pressing_twice_answers_once_and_says_so(game: Game, visitor: Visitor) -> None:
    page_before = visitor.page
    for number in ("1", "1", "2"):
        visitor.page = page_before
        page = answer(visitor, game, answer=number)
    assert [move.state for move in Move.objects.order_by("received_at")] == ["applied", "rejected", "rejected"]
    assert "is closed: you’ve answered it." in page.text


def test_whoever_comes_after_the_clock_is_told_so(game: Game, visitor: Visitor) -> None:
    past = timezone.now() - timedelta(minutes=1)
    OpenQuestion.objects.filter(game=game).update(due_at=past)
    time_out_game(game.pk, timezone.now())
    assert "it timed out, and Darbar moved for you" in answer(visitor, game, answer="2").text


def test_the_hand_of_another_is_on_nobodys_page_or_picture(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh], DEAL, two_player_setup="dealt")
    for account, text in ((maryam, "contessa"), (bahareh, None)):
        visitor = at(account, game)
        html = visitor.answer.content.decode()
        picture = html.partition("<svg")[2].partition("</svg>")[0]
        table = html.partition("The board in words")[2].partition("</details>")[0]
        for card in ("contessa", "duke", "ambassador"):
            assert (f"hand: {card}" in table) == (card == text)
            assert (f">{card}<" in picture) == (card == text)


def test_somebody_who_looks_on_has_no_chat_and_nothing_to_press(bahareh: Account, game: Game) -> None:
    visitor = at(bahareh, game)
    assert {form["action"] for form in visitor.page.forms} <= {"/logout/", "/language/"}
    for path in ("answer/", "chat/", "resign/"):
        visitor.go("/")
        fields = {"csrfmiddlewaretoken": visitor.page.forms[0]["fields"]["csrfmiddlewaretoken"]}
        answered = visitor.client.post(f"/games/{game.pk}/{path}", {**fields, "question": "1.1", "text": "income"})
        assert answered.status_code == 302
        assert "You’re not playing in this game." in visitor.go(answered.headers["Location"]).text
    assert not Move.objects.exists()
    assert not ChatMessage.objects.exists()


def test_the_picture_stands_in_the_page_and_is_of_the_same_position(game: Game, visitor: Visitor) -> None:
    before = visitor.answer.content.decode()
    assert visitor.page.all("svg")
    assert not visitor.page.all("style")
    styles = [link["href"] for link in visitor.page.all("link") if "picture.css?" in link["href"]]
    assert b".cp-paper{" in visitor.client.get(*styles).content
    assert not visitor.page.all("symbol")
    files, names = zip(*(use["href"].split("#") for use in visitor.page.all("use")), strict=True)
    (file,) = set(files)
    symbols = visitor.client.get(file)
    assert symbols["Content-Type"] == "image/svg+xml"
    for name in set(names):
        assert f'<symbol id="{name}"'.encode() in symbols.content
    assert b"<use" not in symbols.content, "not all browsers follow a symbol of a file to another one"
    assert b"class=" not in symbols.content, "the styles of a page do not reach into a file"
    answer(visitor, game, answer="1")
    assert before.partition("<svg")[2].partition("</svg>")[0] not in visitor.answer.content.decode()


def test_a_changed_style_or_drawing_has_another_address() -> None:
    changed = replace(RULES["coup"], picture_style="", picture_symbols="")
    for address in (style_address, symbols_address):
        assert address(changed) != address(RULES["coup"])


def test_places_of_the_board_can_be_tapped_for_many_answers_about_them(maryam: Account) -> None:
    game = begin([maryam, *[None] * 5], [*COURT, *COURT, "duke", "captain"])
    assert "Tap a place on the board" in at(maryam, game).page.text


def reloads(page: Page) -> list[str]:
    """After how many seconds a browser without scripts loads the page again."""
    return [tag["content"].split(";")[0] for tag in page.all("meta") if tag.get("http-equiv") == "refresh"]


def looks(page: Page) -> list[str]:
    """After how many seconds the page's script looks again."""
    return [element["data-refresh"] for element in page.all("div") if "data-refresh" in element]


def test_the_page_looks_again_soon_while_machines_are_waited_for_and_later_for_people(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    with_a_bot = begin([None, maryam], DEAL, two_player_setup="dealt")
    page = at(maryam, with_a_bot).page
    assert (reloads(page), looks(page)) == (["2"], ["2"])
    between_people = begin([sepideh, maryam], DEAL, two_player_setup="dealt")
    page = at(maryam, between_people).page
    assert (reloads(page), looks(page)) == (["30"], ["120"])
    page = at(bahareh, between_people).page
    assert (reloads(page), looks(page)) == (["30"], ["120"]), "the stream tells who looks on, too"
    page = at(sepideh, between_people).page
    assert (reloads(page), looks(page)) == ([], []), "it is her move"
    question = between_people.open_questions.get().question
    Move.objects.create(
        game=between_people, account=sepideh, seat=1, question=question, text="income", via="api", received_at=NOON
    )
    page = at(maryam, between_people).page
    assert (reloads(page), looks(page)) == (["30"], ["120"]), "nobody is told that she has answered"


def test_without_scripts_nothing_is_written_on_a_page_that_loads_itself_again(maryam: Account) -> None:
    game = begin([None, maryam], DEAL, two_player_setup="dealt")
    visitor = at(maryam, game)
    assert [link for link in visitor.page.all("link") if link["href"].endswith("without-scripts.css")]
    drafts = [attributes for tag, attributes in visitor.page.elements if "draft" in attributes.get("class", "").split()]
    assert len(drafts) >= 2
    assert "?stay=1#chat" in [link["href"] for link in visitor.page.all("a")]
    assert reloads(visitor.go(f"/games/{game.pk}/?stay=1")) == []
    refused = visitor.send(f"/games/{game.pk}/chat/", text="x" * 2001)
    assert reloads(refused) == []
    assert "x" * 2001 in refused.text
    assert "well met" in visitor.send(f"/games/{game.pk}/chat/", text="well met").text
    assert reloads(visitor.page) == ["2"]


def test_chat_is_read_by_all_who_sit_there_and_a_private_message_by_its_two(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = begin([maryam, sepideh, bahareh])
    visitor = at(maryam, game)
    visitor.send(f"/games/{game.pk}/chat/", text="<b>I am honest</b>")
    visitor.send(f"/games/{game.pk}/chat/", text="trust nobody", to="2")
    assert "<b>I am honest</b>" in visitor.page.text
    assert "trust nobody" in at(sepideh, game).page.text
    other = at(bahareh, game).page.text
    assert "I am honest" in other
    assert "trust nobody" not in other


def test_sending_a_message_twice_says_it_once(game: Game, visitor: Visitor) -> None:
    page = visitor.page
    for _ in range(2):
        visitor.page = page
        visitor.send(f"/games/{game.pk}/chat/", text="hello")
    assert ChatMessage.objects.count() == 1


@pytest.mark.parametrize("to", ["9", "x", "1"])
def test_a_message_to_nobody_is_refused(game: Game, to: str, visitor: Visitor) -> None:
    page = visitor.send(f"/games/{game.pk}/chat/", text="hello", to=to)
    assert [element for element in page.all("li") if element.get("class") == "error"]
    assert not ChatMessage.objects.exists()


def test_a_message_that_was_refused_need_not_be_written_again(game: Game, visitor: Visitor) -> None:
    visitor.send(f"/games/{game.pk}/chat/", text="I am honest", to="9")
    assert "I am honest" in visitor.page.text
    visitor.send(f"/games/{game.pk}/chat/", text="I am honest")
    assert visitor.page.text.count("I am honest") == 1


@pytest.mark.parametrize("path", ["answer/", "chat/", "invite/", "join/"])
def test_letters_that_no_text_may_hold_do_no_harm(maryam: Account, game: Game, path: str, visitor: Visitor) -> None:
    secret = visitor.page.forms[0]["fields"]["csrfmiddlewaretoken"]
    fields = dict.fromkeys(("question", "answer", "text", "to", "key", "address", "language"), "\0")
    assert visitor.client.post(f"/games/{game.pk}/{path}", {**fields, "csrfmiddlewaretoken": secret}).status_code == 302
    assert Visitor(maryam).go("/join/?code=%00a", 422)


def test_where_the_host_wants_no_chat_there_is_none(maryam: Account, game: Game) -> None:
    agree(game, chat="none")
    assert not [form for form in at(maryam, game).page.forms if form["action"].endswith("chat/")]


def test_giving_up_is_asked_first_and_then_for_good(game: Game, visitor: Visitor) -> None:
    assert "You can’t undo this" in visitor.go(f"/games/{game.pk}/resign/").text
    assert Game.objects.get().state == "running"
    page = visitor.send()
    assert "You’ve resigned." in page.text
    assert Game.objects.get().state == "over"
    visitor.go(f"/games/{game.pk}/resign/")
    assert "You’ve resigned." not in visitor.send().text
    assert Move.objects.filter(state="applied").count() == 1


def test_a_rematch_is_declined_on_the_page(sepideh: Account, game: Game, visitor: Visitor) -> None:
    visitor.go(f"/games/{game.pk}/resign/")
    visitor.send()
    visitor.send(f"/games/{game.pk}/rematch/")
    assert "You’ve accepted a rematch." in visitor.page.text
    at(sepideh, game).send(f"/games/{game.pk}/rematch/", answer="decline")
    assert "not enough players can take part" in visitor.go(f"/games/{game.pk}/").text
    assert Game.objects.count() == 1


def test_both_who_offer_a_rematch_get_the_same(maryam: Account, sepideh: Account, game: Game, visitor: Visitor) -> None:
    visitor.go(f"/games/{game.pk}/resign/")
    visitor.send()
    for account in (maryam, sepideh):
        again = at(account, game)
        again.send(f"/games/{game.pk}/rematch/")
    assert again.path == f"/games/{Game.objects.exclude(pk=game.pk).get().pk}/"


def test_once_the_game_is_over_everything_is_open(bahareh: Account, game: Game, visitor: Visitor) -> None:
    visitor.go(f"/games/{game.pk}/resign/")
    visitor.send()
    page = at(bahareh, game).page
    assert "duke" in page.text.partition("The board in words")[2].partition("Players")[0]


def test_of_a_long_story_the_end_is_told_and_the_beginning_is_one_link_away(maryam: Account) -> None:
    game = opened(maryam, rules="sedlec", seat_count=2, bots=1)
    visitor = at(maryam, game)
    for _ in range(40):
        if not any(form["action"].endswith("answer/") for form in visitor.page.forms):
            break
        answer(visitor, game, answer="1")
    (onward,) = (link["href"] for link in visitor.page.all("a") if link["href"].startswith("?story"))
    items = visitor.page.all("li")
    whole = visitor.go(f"/games/{game.pk}/{onward.partition('#')[0]}")
    assert len(whole.all("li")) > len(items)


def test_a_game_whose_rules_are_gone_is_said_to_be_so(maryam: Account, game: Game) -> None:
    Game.objects.update(rules_version=99)
    assert "no longer has the rules" in Visitor(maryam).go(f"/games/{game.pk}/", 409).text
    assert Visitor(maryam).go("/").text


def test_the_end_tells_who_claimed_what_and_nothing_before_it_does(maryam: Account, game: Game) -> None:
    play(game, "1 tax", "2 allow", "2 tax", "1 challenge")
    assert "Who claimed what" not in at(maryam, game).page.text
    play(game, "2 prove", "1 lose contessa", "1 steal 2", "2 challenge", "1 concede")
    page = at(maryam, game).page
    table = page.text.partition("Who claimed what")[2].partition("Since")[0]
    for row in ("Maryam captain 1 0 1 1 duke 1 0 0 0", "duke 1 1 1 0"):
        assert row in table


@pytest.mark.parametrize("private", [False, True])
def test_the_end_tells_what_turned_the_game_and_what_everybody_held(maryam: Account, game: Game, private: bool) -> None:
    Game.objects.filter(pk=game.pk).update(private=private)
    play(game, "1 tax", "2 allow", "2 tax", "1 challenge", "2 prove", "1 lose contessa")
    play(game, "1 steal 2", "2 challenge", "1 concede")
    visitor = at(maryam, game)
    text = visitor.page.text
    assert "Maryam claimed the captain once, and didn’t hold it." in text
    turned = text.partition("The turning point")[2].partition("Who claimed what")[0]
    assert "You lost the contessa." in turned
    assert "had more influence than anyone else" in turned
    hand = text.partition("What everyone held")[2]
    assert "You: 0 coins; lost contessa, contessa; out" in hand
    [watch] = [link["href"] for link in visitor.page.all("a") if "?line=" in link["href"]]
    assert "You lost the contessa." in visitor.go(watch).text
    shared = [
        element["data-share"] for element in visitor.go(f"/games/{game.pk}/").all("span") if "data-share" in element
    ]
    assert shared == ([] if private else [f"{settings.PUBLIC_URL}/games/{game.pk}/"])
