"""Error messages for databases and backups that this version cannot use: too old, too new, foreign or damaged."""

from collections.abc import Iterable

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.core.database import schema
from config.core.database.schema import Name, own_migrations

pytestmark = pytest.mark.django_db
BEFORE_THE_SQUASH = [
    ("accounts", "0001_initial"),
    ("accounts", "0002_moderation_actions_are_kept"),
    ("games", "0001_initial"),
    ("games", "0002_event_log"),
    ("games", "0016_reminders_taken"),
    ("notifications", "0001_initial"),
    ("notifications", "0002_news"),
]
IN_THE_BEGINNING = [("accounts", "0001_first"), ("games", "0001_first"), ("notifications", "0001_first")]
NEWER = [*own_migrations(), ("games", "0999_contract_seats")]
NEWER_AND_SQUASHED = [*own_migrations(), ("games", "0001_squashed_0040_seats")]
OF_LIBRARIES = [name for name in own_migrations() if name[0] in ("auth", "contenttypes")]


def applied(names: Iterable[Name]) -> None:
    """Pretend that these migrations have run."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations")
        for name in names:
            cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", name)


CASES = [
    pytest.param(BEFORE_THE_SQUASH, "too old", id="before the squash"),
    pytest.param(IN_THE_BEGINNING, "too old", id="in the beginning"),
    pytest.param([*OF_LIBRARIES, *BEFORE_THE_SQUASH], "too old", id="before the squash, with libraries"),
    pytest.param(NEWER, "newer", id="newer"),
    pytest.param([*own_migrations(), ("account", "0999_of_a_library")], "newer", id="newer library"),
    pytest.param(NEWER_AND_SQUASHED, "newer", id="newer and squashed"),
]


@pytest.mark.parametrize(("names", "reason"), CASES)
def test_a_database_is_refused_as_what_it_is(names: list[Name], reason: str) -> None:
    applied(names)
    with pytest.raises(CommandError, match=reason) as refused:
        call_command("migrate", verbosity=0, interactive=False)
    assert ("newer version" in str(refused.value).lower()) == (reason == "newer")
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(("names", "reason"), CASES)
def test_a_backup_is_refused_as_what_it_is(names: list[Name], reason: str) -> None:
    refusal = schema.backup_problem(frozenset(names))
    assert reason in refusal
    assert ("newer" in refusal) == (reason == "newer")


@pytest.mark.parametrize("names", [[*OF_LIBRARIES, ("blog", "0001_initial")], [("blog", "0001_initial")]])
def test_a_database_of_another_django_project_is_refused(names: list[Name]) -> None:
    applied(names)
    assert "another program (blog.0001_initial)" in schema.database_problem()
    assert "isn’t of a Darbar database" in schema.backup_problem(frozenset(names))


def test_a_database_with_tables_of_another_program_is_refused() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA other; SET LOCAL search_path TO other; CREATE TABLE wp_posts ()")
    assert "another program (wp_posts)" in schema.database_problem()
    assert schema.foreign_tables() == ["wp_posts"]


def test_an_empty_database_is_taken() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA other; SET LOCAL search_path TO other")
    assert schema.database_problem() == ""


def test_a_database_that_is_up_to_date_or_a_little_older_is_taken() -> None:
    assert schema.database_problem() == ""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = '0002_idempotency_keys_by_account'")
    assert schema.database_problem() == ""
    assert schema.backup_problem(frozenset(own_migrations())) == ""


def test_a_database_and_a_backup_to_which_a_newer_version_has_only_added_are_taken() -> None:
    applied([*own_migrations(), ("games", "0999_weather")])
    assert schema.database_problem() == ""
    assert schema.backup_problem(schema.applied(connection)) == ""


def test_a_database_whose_tables_are_not_those_of_its_migrations_is_refused() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = '0002_idempotency_keys_by_account'")
        cursor.execute("ALTER TABLE accounts_idempotencykey DROP COLUMN fingerprint")
    assert "there is no accounts_idempotencykey.fingerprint. It is damaged, or" in schema.database_problem()
