"""A whole game by nothing but mail: invited by mail, joined by mail, played to the end by mail.

The server is the real one, mail reaches the players by a real mail server, and they answer by SMTP. They know
nothing but what their mails say, and bluff and doubt by it.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from games.rules.coup.text.words import PERSIAN as COUP_IN_PERSIAN
from tests.server.conftest import on_a_copy
from tests.server.correspondents import Correspondent, Host, Mailboxes, Offer, Policy, correspond, mailboxes, text_of
from tests.server.darbar import Darbar

CLAIMS: Final = {"tax": "duke", "steal": "captain", "assassinate": "assassin", "exchange": "ambassador"}


@pytest.fixture(scope="module")
def post() -> Iterator[Mailboxes]:
    with mailboxes() as server:
        yield server


@pytest.fixture(scope="module")
def server(prepared: Path, post: Mailboxes) -> Iterator[Darbar]:
    """A server that sends its mail to the correspondents' own."""
    with on_a_copy(prepared, EMAIL_URL=f"smtp://127.0.0.1:{post.port}") as server:
        yield server.start()


@pytest.fixture(scope="module")
def maryam(server: Darbar, post: Mailboxes) -> Iterator[Host]:
    """The host of the game."""
    with Host(server, "Maryam", post) as maryam:
        yield maryam


def hand(player: Correspondent, text: str) -> list[str]:
    """The characters in one's own hand, as the mail's table shows them."""
    line = re.search(rf"{player.name}\u2069?:.*(?:holds|در دست:) (.+)", text)
    hands = re.split(r"[,،] ", line[1].strip()) if line else []
    in_english = {persian: word for word, persian in COUP_IN_PERSIAN.items()}
    return [in_english.get(card, card) for card in hands]


def doubting(seat_count: int, *, blocks: bool = False) -> Policy:
    """Return a policy that bluffs, and doubts some claims of other players. It may also block."""

    def answer(player: Correspondent, text: str, offers: list[Offer]) -> Offer:
        verbs = [offer.verb for offer in offers]
        if "income" in verbs:
            hands = hand(player, text)
            claims = [offer for offer in offers if CLAIMS.get(offer.verb, hands and hands[0]) not in hands]
            must = [offer for offer in offers if offer.verb == "coup"]
            return (must or claims or offers)[0]
        if "allow" in verbs:
            player.notes.append("asked")
            block = [offer for offer in offers if offer.verb == "block"]
            if "challenge" in verbs and player.notes.count("asked") % seat_count == 0:
                return offers[verbs.index("challenge")]
            if block and blocks:
                return block[-1]
        return offers[0]

    return answer


def test_two_people_with_nothing_but_a_mailbox_play_a_whole_game_of_sedlec(
    maryam: Host, post: Mailboxes, server: Darbar
) -> None:
    people = [
        Correspondent("Nasrin", "nasrin@example.com", hurrying),
        Correspondent("مینا", "mina@example.com", hurrying, "fa"),
    ]
    game = maryam.table(people, rules="sedlec")
    correspond(people, post, server.mail_port, lambda: maryam.get(f"games/{game}/")["state"] == "running")
    maryam.leave_it_to_them(game)
    correspond(people, post, server.mail_port, lambda: all(person.over for person in people))
    check_the_end(maryam, game, people, post)


def hurrying(player: Correspondent, text: str, offers: list[Offer]) -> Offer:
    """Lay what can be laid, else take what lies open, else dig."""
    for verb in ("lay", "collect"):
        if fitting := [offer for offer in offers if offer.verb == verb]:
            return fitting[-1]
    return offers[0]


def check_the_end(maryam: Host, game: str, people: list[Correspondent], post: Mailboxes) -> None:
    """The game is over, under the names that their mails bear, and nothing that was written was misunderstood."""
    table = maryam.get(f"games/{game}/")
    assert table["state"] == "over"
    assert {seat["name"] for seat in table["seats"]} == {"Maryam", *(person.name for person in people)}
    invited = maryam.get(f"games/{game}/invitations/")["results"]
    assert {invitation["state"] for invitation in invited} == {"joined"}
    for person in people:
        mails = post.kept[person.address]
        assert len({mail["Message-ID"] for mail in mails}) == len(mails)
        refused = [text for text in map(text_of, mails) if "changed nothing" in text or "تغییر نداد" in text]
        assert not [text for text in refused if "answered or is over" not in text and "وقتش گذشته" not in text]
