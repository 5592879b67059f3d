"""Names must not look like the name of another account or of the server."""

import re
from collections import defaultdict
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection

from accounts.email_addresses import rename
from accounts.models import Account
from accounts.names import skeleton, tidy, validate_name
from games.tables.new_game import BOT_NAMES
from tests.accounts.people import Person, problem
from tests.examples import for_each, read_examples

EXAMPLES = read_examples(__file__)

ALIKE = EXAMPLES["alike"]
COLLISIONS = [["Clara", "Dara"], ["Delia", "Della"], ["Elia", "Ella"], ["Leila", "Lelia"], ["Neil", "Nell"]]
"""Ordinary names that look alike. The second of two cannot have the name alone: a family name or a number helps."""
FIRST_NAMES = (Path(__file__).parent / "first_names.txt").read_text("utf-8").split()
RESERVED = [
    "Moderator", "mоderator", "MODERATOR", "M0derator", "The Moderator", "Moderator 1", "Moderators", "Kaveh Moderator",
    "M o d e r a t o r", "Admin", "Adm1n", "administrator", "SysAdmin", "Operator", "Support", "Support Team", "Staff",
    "System", "root", "postmaster", "DarbarSupport", "Darbar Bot", "Darbar-Bot", "Dаrbar Singh", "Bot", "Bot 7", "bots",
    "داربار", "د‌اربار", "ناظر", "ناظر بازی", "ناﻇر", "ناظر ۲", "مدیر", "مدير", "مدیر سرور", "پشتیبانی", "ربات",
    "ربات ۳", "ادمین", "سرپرست", "Talos 2", "Mod erator Ali", "Ali Dar bar", "Opеrator",
    "0perator", "0PERAT0R", "M0DERAT0R", "Adrnin",
    "Dar-bar", "Suррort", "Serνer", "Ѕerver Team", "مُدیر", "نا ظر",
]  # fmt: skip


def test_few_ordinary_first_names_look_alike() -> None:
    names_by_skeleton = defaultdict(set)
    for name in FIRST_NAMES:
        names_by_skeleton[skeleton(name)].add(name)
    assert len(set(FIRST_NAMES)) > 1300
    assert sorted(sorted(names) for names in names_by_skeleton.values() if len(names) > 1) == COLLISIONS


@for_each("name", [name for name in FIRST_NAMES[::20] if not re.search("[α-ω]", name)])
def test_a_skeleton_does_not_depend_on_case_blanks_or_punctuation(name: str) -> None:
    for form in (name.upper(), name.lower(), " ".join(name), ".".join(name), f" {name}!"):
        assert skeleton(form) == skeleton(name), form


@pytest.mark.django_db
def test_accounts_keep_names_that_look_alike_by_a_later_rule() -> None:
    elia = Account.objects.create_user("elia@darbar.example", name="Elia")
    Account.objects.filter(pk=elia.pk).update(skeleton="as it was")
    ella = Account.objects.create_user("ella@darbar.example", name="Ella")
    with connection.schema_editor() as editor:
        import_module("accounts.migrations.0004_skeletons").compute_skeletons(apps, editor)
    elia.refresh_from_db()
    ella.refresh_from_db()
    assert (elia.skeleton, ella.skeleton) == ("ella", f"ella {ella.pk}")
    ella.set_password("seven goats on a roof")
    ella.save()
    assert not Account.objects.is_free("EIIa", "other@darbar.example")
    assert rename(ella, "Ella Fitzgerald") == "Ella Fitzgerald"
    assert ella.skeleton == skeleton("Ella Fitzgerald")
    with pytest.raises(ValidationError):
        rename(ella, "Ella")


@for_each("name", EXAMPLES["ordinary"])
def test_ordinary_names_of_all_scripts_are_free(name: str) -> None:
    validate_name(tidy(name))


@for_each("name", [*RESERVED, *chain(*BOT_NAMES.values())])
def test_names_that_pass_for_the_server_are_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(tidy(name))
    assert refused.value.code == "name-reserved"


def test_the_servers_own_name_is_refused_however_it_is_drawn() -> None:
    for name in ("Darbar", "Ｄarbar", "دربار", "Dаrbar", "𝔻𝕒𝕣𝕓𝕒𝕣"):
        with pytest.raises(ValidationError) as refused:
            validate_name(tidy(name))
        assert refused.value.code in ("name-notation", "name-reserved")


@pytest.mark.parametrize("name", ["Maryam\u0301\u0302\u0303\u0304", "Z̸̛̙͔a̵l̷g̴o̶", "\u0301Maryam", "ก็็็"])
def test_marks_are_not_piled_up(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(name)
    assert refused.value.code == "name-marks"


@pytest.mark.parametrize("blank", ["\u3164", "\u115f", "\u2800", "\u034f", "\u180e"])
def test_no_letter_of_a_name_is_blank(blank: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(f"Mar{blank}yam")
    assert refused.value.code == "name-unprintable"


@pytest.mark.django_db
@for_each("one, other", [*ALIKE, *((other, one) for one, other in ALIKE)], undone=True)
def test_the_database_refuses_a_name_that_looks_like_anothers(one: str, other: str) -> None:
    Account.objects.create_user("one@darbar.example", name=one)
    assert not Account.objects.is_free(other, "other@darbar.example")
    with pytest.raises(IntegrityError):
        Account.objects.create_user("other@darbar.example", name=other)


@pytest.mark.django_db
@for_each("one, other", EXAMPLES["different"], undone=True)
def test_names_that_differ_are_both_free(one: str, other: str) -> None:
    Account.objects.create_user("one@darbar.example", name=one)
    Account.objects.create_user("other@darbar.example", name=other)


def test_a_sign_up_says_which_of_them_it_is(maryam: Person, kaveh: Person) -> None:
    maryam.settle()
    answers = {name: kaveh.sign_up(name=name) for name in ("MARYAM", "Mаryam", "Moderator")}
    codes = [problem(answer, 400, "malformed")["errors"][0] for answer in answers.values()]
    assert [(error["pointer"], error["code"]) for error in codes] == [
        ("#/name", "name-taken"),
        ("#/name", "name-look-alike"),
        ("#/name", "name-reserved"),
    ]


def test_a_new_name_is_looked_at_as_closely(maryam: Person, kaveh: Person) -> None:
    maryam.settle()
    kaveh.settle()
    for name, code in (("Mаryam", "name-look-alike"), ("ناظر", "name-reserved"), ("Maryam", "name-taken")):
        body = problem(kaveh.send("me/", {"name": name}, "patch"), 400, "malformed")
        assert body["errors"][0]["code"] == code
    assert kaveh.send("me/", {"name": "KAVEH"}, "patch").status_code == 200, "one's own name in another form"


def test_refusals_are_said_in_persian(maryam: Person) -> None:
    maryam.client.credentials(HTTP_ACCEPT_LANGUAGE="fa")
    assert "نام دیگری انتخاب کنید" in problem(maryam.sign_up(name="ناظر"), 400, "malformed")["detail"]
