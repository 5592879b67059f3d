"""Tests of addresses that act for an account: they are read in any case and cannot be forged."""

import re
import uuid
from typing import Any

import pytest
from django.conf import settings as current

from games import links
from games.engine import SeatNumber
from notifications import reply_addresses

GAME = uuid.UUID("c0ffee00-1234-4abc-8def-0123456789ab")
QUESTION = f"{reply_addresses.short(GAME)}-1.12"
SUBJECT = f"{QUESTION}-7"
KINDS = (
    reply_addresses.QUESTION,
    reply_addresses.SEAT,
    reply_addresses.INVITATION,
    reply_addresses.DIGEST,
    reply_addresses.BOUNCE,
)


@pytest.fixture(autouse=True)
def _domain(settings: Any) -> None:
    settings.MAIL_DOMAIN = "darbar.example"


@pytest.mark.parametrize("kind", KINDS)
def test_an_address_says_its_kind_and_subject_again(kind: str) -> None:
    address = reply_addresses.address(kind, SUBJECT)
    assert reply_addresses.read(address) == (kind, SUBJECT)
    assert QUESTION in address
    assert re.fullmatch(r"[a-z]-.*-[a-z2-7]{26}@darbar\.example", address)


def test_an_address_is_read_in_any_case_and_without_its_domain() -> None:
    address = reply_addresses.address(reply_addresses.QUESTION, SUBJECT)
    for spelling in (address.upper(), address.title(), f" {address}\n", address.partition("@")[0].upper()):
        assert reply_addresses.read(spelling) == (reply_addresses.QUESTION, SUBJECT)


def test_the_longest_address_fits_into_the_limits_of_mail_servers() -> None:
    address = links.question_address(GAME, "10.99999", 9_999_999_999)
    assert len(address.partition("@")[0]) <= 64
    assert links.parse(address) == links.QuestionAddress(GAME, "10.99999", 9_999_999_999)
    with pytest.raises(ValueError, match="too long"):
        links.question_address(GAME, "10.999999999", 1)


def test_the_address_of_one_account_is_not_made_into_that_of_another() -> None:
    first, second = (links.seat_address(GAME, SeatNumber(1), account).partition("@")[0] for account in (1, 2))
    assert first[:-26] == second[:-26]
    for length in range(1, 26):
        mixed = first[:-length] + second[-length:]
        assert mixed in (first, second) or reply_addresses.read(mixed) is None


def test_each_change_of_an_address_makes_it_nobodys() -> None:
    local, _, domain = reply_addresses.address(reply_addresses.QUESTION, SUBJECT).partition("@")
    for place, old in enumerate(local):
        for new in "a2q-.@":
            if new != old:
                assert reply_addresses.read(f"{local[:place]}{new}{local[place + 1 :]}@{domain}") is None
    for changed in (
        local[:-1],
        f"{local}a",
        f"{local}@elsewhere.example",
        f"{local}@{domain}.example",
        "",
        "@",
        domain,
    ):
        assert reply_addresses.read(changed) is None


def test_the_proof_of_one_subject_or_kind_is_none_for_another() -> None:
    proof = reply_addresses.token(reply_addresses.QUESTION, SUBJECT).rpartition("-")[2]
    assert reply_addresses.read(f"q-{QUESTION.replace('1.12', '2.12')}-{proof}") is None
    for letter in "sidbau":
        assert reply_addresses.read(f"{letter}-{QUESTION}-{proof}") is None


def test_guessing_finds_nothing() -> None:
    for guess in ("a" * 26, "2" * 26, reply_addresses.token(reply_addresses.SEAT, "x-7").rpartition("-")[2]):
        assert reply_addresses.read(f"q-{QUESTION}-{guess}@darbar.example") is None


def test_another_server_makes_other_addresses(settings: Any) -> None:
    address = reply_addresses.address(reply_addresses.QUESTION, SUBJECT)
    settings.SECRET_KEY = current.SECRET_KEY + "x"
    assert reply_addresses.read(address) is None


@pytest.mark.parametrize("subject", ["", "A", "a b", "a--b", "a\n", "-a", "ä", "a@b"])
def test_what_cannot_stand_in_an_address_is_no_subject(subject: str) -> None:
    with pytest.raises(ValueError, match="cannot be the subject"):
        reply_addresses.address(reply_addresses.QUESTION, subject)


def test_the_pattern_finds_what_can_be_read() -> None:
    for kind in KINDS:
        address = reply_addresses.address(kind, SUBJECT)
        match = reply_addresses.pattern().fullmatch(address)
        assert match is not None
        assert reply_addresses.read(match["token"]) == (kind, SUBJECT)
    assert reply_addresses.pattern().fullmatch("darbar@darbar.example") is None


def test_an_id_is_the_same_after_a_journey() -> None:
    assert reply_addresses.long(reply_addresses.short(GAME)) == GAME
    for wrong in ("", "a" * 25, "a" * 27):
        with pytest.raises(ValueError, match="is no id"):
            reply_addresses.long(wrong)


def test_the_table_reads_what_an_address_is_about() -> None:
    assert links.parse(links.question_address(GAME, "1.12", 7)) == links.QuestionAddress(GAME, "1.12", 7)
    assert links.parse(links.seat_address(GAME, SeatNumber(3), 7)) == links.SeatAddress(GAME, SeatNumber(3), 7)
    for to in (None, SeatNumber(10)):
        chatting = links.chat_address(GAME, SeatNumber(10), to, 9_999_999_999)
        assert links.parse(chatting) == links.ChatAddress(GAME, SeatNumber(10), to, 9_999_999_999)
        assert len(chatting.partition("@")[0]) <= reply_addresses.LONGEST
    token = links.question_page(GAME, "1.12", 7).rstrip("/").rpartition("/")[2]
    assert links.parse(token) == links.QuestionPage(GAME, "1.12", 7)
    assert links.parse(reply_addresses.address(reply_addresses.BOUNCE, reply_addresses.short(GAME))) is None
    assert links.parse(token[:-1] + ("x" if token[-1] != "x" else "y")) is None
