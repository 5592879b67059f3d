"""Tests of what a restored server leaves undone, and what a backup needs; the whole way is in
tests/server/test_backup.py."""

import errno
import os
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts import account_data
from accounts.models import Account
from games.operations import backups
from games.operations.backups import BackupError, backup_name, delete_old_backups, write_backup
from notifications import outbox
from notifications.models import Notification, State
from tests.examples import for_each
from tests.third_game.table import NOON


@pytest.mark.django_db
def test_what_waited_to_be_sent_is_not_sent_after_a_restore_or_a_recovery(maryam: Account) -> None:
    later = NOON + timedelta(days=1)
    orders = [outbox.NewNotification(f"question:{letter}", "question", maryam.pk, earliest=later) for letter in "ab"]
    outbox.schedule(orders, NOON, [maryam])
    sent = Notification.objects.order_by("pk").first()
    assert sent is not None
    Notification.objects.filter(pk=sent.pk).update(state=State.FAILED)
    assert backups._begin_anew(set()) == 0
    assert set(Notification.objects.values_list("state", flat=True)) == {State.DROPPED, State.FAILED}


@pytest.mark.django_db
def test_a_recovery_is_not_finished_while_the_database_is_in_use(maryam: Account) -> None:
    outbox.schedule([outbox.NewNotification("question:a", "question", maryam.pk)], NOON, [maryam])
    with closing(connection.copy()) as other:
        other.ensure_connection()
        with pytest.raises(BackupError, match=r"Other connections use the database \(.*\)\. Stop Darbar first\."):
            backups.finish_recovery()
    assert not Notification.objects.filter(state=State.DROPPED).exists()


@pytest.mark.django_db
def test_a_backup_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="can’t be written"):
        write_backup(tmp_path / "missing" / "backup.tar", NOON)
    there = tmp_path / "there.tar"
    there.write_text("of last week")
    with pytest.raises(BackupError, match="already exists"):
        write_backup(there, NOON)
    assert [file.name for file in tmp_path.iterdir()] == ["there.tar"]


@pytest.mark.django_db
def test_a_backup_to_a_forbidden_place_names_the_place_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat, mkdir = os.stat, os.mkdir

    def refuse_or(function: Callable[..., Any], path: Any, *arguments: Any, **options: Any) -> Any:
        """Refuse the closed folder. The real permission does not: root, who may run this test, is refused nothing."""
        if "closed" in str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return function(path, *arguments, **options)

    monkeypatch.setattr(os, "stat", partial(refuse_or, stat))
    monkeypatch.setattr(os, "mkdir", partial(refuse_or, mkdir))
    with pytest.raises(CommandError, match=r"closed/monday\.tar can’t be written: Permission denied\."):
        call_command("backup", str(tmp_path / "closed" / "monday.tar"))


def test_a_folder_of_backups_keeps_the_newest(tmp_path: Path) -> None:
    for name in ["notes.tar", *(backup_name(datetime(2026, 11, day, 3, 30, tzinfo=UTC)) for day in (1, 2, 3))]:
        (tmp_path / name).touch()
    delete_old_backups(tmp_path, 2)
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["darbar-2026-11-02T033000Z.tar", "darbar-2026-11-03T033000Z.tar", "notes.tar"]


@for_each("arguments", [("monday.tar", 3), (".", 0), (".", -1)])
@pytest.mark.django_db
def test_only_a_folder_keeps_a_number_of_backups(arguments: tuple[str, int]) -> None:
    with pytest.raises(CommandError, match="--keep needs a number of at least 1, and a folder instead of a file"):
        call_command("backup", arguments[0], keep=arguments[1])


@pytest.mark.django_db
def test_an_account_that_was_given_the_number_of_a_deleted_one_stays(
    maryam: Account, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    account_data.list_deleted((maryam.pk, maryam.created_at - timedelta(days=1)), NOON)
    assert backups._delete_again(account_data.read_deleted([account_data.list_of_deleted()])) == 0
    account_data.list_deleted((maryam.pk, maryam.created_at), NOON)
    assert backups._delete_again(account_data.read_deleted([account_data.list_of_deleted()])) == 1
    assert not Account.objects.filter(email=maryam.email).exists()
    assert account_data.list_of_deleted().stat().st_mode & 0o777 == 0o600


def test_where_another_postgresql_is_used_its_client_programs_have_to_be_there(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.DATABASE_URL = {"NAME": "darbar"}
    monkeypatch.delenv("DARBAR_PG_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="Install PostgreSQL’s client programs"):
        backups._pg_dump()
