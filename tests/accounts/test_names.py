"""A name must never read as a move, and never as another player's name."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils.translation import override

from accounts.models import Account
from accounts.names import fold, notation, tidy, validate_name
from games.mail.commands import _COMMANDS_BY_WORDS
from games.rules.coup.text import words as coup
from games.rules.coup.text.plan_words import PERSIAN_PLANS
from games.rules.sedlec import words as sedlec
from tests.examples import for_each, read_examples

EXAMPLES = read_examples(__file__)


@for_each(
    "name",
    ["Maryam", "مریم", "علی‌رضا", "Kaveh 2", "O'Neill", "Duke of York", "2 fast", "Anne-Marie", "李", "Bahareh Allow"],
)
def test_ordinary_names_are_free(name: str) -> None:
    validate_name(name)


@for_each("name", ["7", "۷", "٧", "७", "1.2", "-5", "½", "²", "…", "🙂", "", " "])
def test_a_name_without_a_letter_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(name)
    assert refused.value.code == "name-number"


@for_each("name", ["م" * 100, "م" + "َ" * 20])
def test_the_limits_of_a_name_stand_in_persian_digits_in_a_persian_sentence(name: str) -> None:
    with override("fa"), pytest.raises(ValidationError) as refused:
        validate_name(name)
    with override("fa"):
        [sentence] = refused.value.messages
    assert re.search("[۰-۹]", sentence)
    assert not re.search("[0-9]", sentence)


@for_each("name", EXAMPLES["notation"])
def test_a_name_that_reads_as_notation_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(tidy(name))
    assert refused.value.code == "name-notation"


@for_each(
    "name",
    ["join", "No", "never!", "name", "نه", "خیر", "هرگز", "پیوستن", "گفتگو", "گفت‌وگو", "گفت و گو", "نام", "انصراف",
     "Server", "سرور", "darbar", "دربار", "seat", "صندلی ۲", "everyone"],
)  # fmt: skip
def test_a_name_that_reads_as_a_word_of_play_by_mail_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(tidy(name.rstrip("!")))
    assert refused.value.code == "name-notation"


@pytest.mark.parametrize("name", ["Mar\u202eyam", "Mar\u2066yam", "Mar\nyam", "Mar\u0000yam", "Mar\ue000yam"])
def test_a_name_of_letters_that_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(name)
    assert refused.value.code == "name-unprintable"


def test_a_name_has_at_most_forty_characters() -> None:
    validate_name("x" * 40)
    with pytest.raises(ValidationError):
        validate_name("x" * 41)


def test_every_word_of_the_games_is_a_word_here() -> None:
    english = {*coup.PERSIAN, *PERSIAN_PLANS, *sedlec.PERSIAN}
    persian = {*coup.PERSIAN.values(), *PERSIAN_PLANS.values(), *sedlec.PERSIAN.values()}
    assert not [word for word in english | persian if fold(word) not in notation()]


@pytest.mark.parametrize("other", ["MARYAM", "ｍａｒｙａｍ", "Maryam.", " Maryam", "Mar\u200cyam"])
def test_the_database_refuses_a_second_account_with_a_name_that_reads_the_same(other: str) -> None:
    Account.objects.create_user("maryam@darbar.example", name="Maryam")
    with pytest.raises(IntegrityError):
        Account.objects.create_user("mina@darbar.example", name=other)


def test_the_database_refuses_a_second_account_with_an_address_in_another_case() -> None:
    Account.objects.create_user("maryam@darbar.example", name="Maryam")
    with pytest.raises(IntegrityError):
        Account.objects.create_user("MARYAM@darbar.example", name="Mina")


def test_the_database_refuses_an_address_in_capitals() -> None:
    maryam = Account.objects.create_user("maryam@darbar.example", name="Maryam")
    with pytest.raises(IntegrityError):
        Account.objects.filter(pk=maryam.pk).update(email="Maryam@darbar.example")


@for_each(
    "name",
    ["pause", "Agree", "decline", "Resume", "help", "Games", "status", "Rules", "rematch", "invite", "leave",
     "Vacation", "stop", "Start", "him", "Me", "please", "Pass", "bluff", "وقفه", "موافقم", "مخالفم", "ادامه", "راهنما",
     "وضعیت", "مرخصی", "او", "لطفا", "بلوف", "سوءقصد", "yep", "Game", "Email", "e-mails", "Off", "once", "every",
     "آره", "تأیید", "تایید", "ایمیل", "هیچ", "خاموش"],
)  # fmt: skip
def test_a_word_of_a_command_or_of_a_move_as_people_write_it_is_no_name(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(name)
    assert refused.value.code in ("name-notation", "name-reserved")


@for_each("name", ["Rob", "Will", "My", "Emil", "Grace", "Hope", "Stopford", "شماعی", "آرزو", "Himari"])
def test_names_that_only_resemble_such_words_are_names(name: str) -> None:
    validate_name(name)


def test_every_word_of_a_mails_commands_is_reserved() -> None:
    words = {word for command in _COMMANDS_BY_WORDS for word in command} | {"days", "chat", "plan", "cancel", "all"}
    assert [word for word in words if word not in notation()] == []
