"""Tests of what a restored server leaves undone, and what a backup needs; the whole way is in
tests/server/test_backup.py."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from accounts.account_data import export_and_deletion
from accounts.models import Account
from games.operations import backups
from games.operations.backups import BackupError, write_backup
from notifications.delivery import outbox
from notifications.models import Notification, State
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
        with pytest.raises(BackupError, match=r"in use by .* other connections: stop Darbar first"):
            backups.finish_recovery()
    assert not Notification.objects.filter(state=State.DROPPED).exists()


@pytest.mark.django_db
def test_a_backup_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot be written"):
        write_backup(tmp_path / "missing" / "backup.tar", NOON)
    there = tmp_path / "there.tar"
    there.write_text("of last week")
    with pytest.raises(BackupError, match="is there already"):
        write_backup(there, NOON)
    assert [file.name for file in tmp_path.iterdir()] == ["there.tar"]


@pytest.mark.django_db
def test_an_account_that_was_given_the_number_of_a_deleted_one_stays(
    maryam: Account, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    export_and_deletion.add((maryam.pk, maryam.created_at - timedelta(days=1)), NOON)
    assert backups._delete_again(export_and_deletion.read([export_and_deletion.own_list()])) == 0
    export_and_deletion.add((maryam.pk, maryam.created_at), NOON)
    assert backups._delete_again(export_and_deletion.read([export_and_deletion.own_list()])) == 1
    assert not Account.objects.filter(email=maryam.email).exists()
    assert export_and_deletion.own_list().stat().st_mode & 0o777 == 0o600


def test_where_another_postgresql_is_used_its_client_programs_have_to_be_there(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.DATABASE_URL = {"NAME": "darbar"}
    monkeypatch.delenv("DARBAR_PG_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="pg_dump is not installed: install PostgreSQL's client programs"):
        backups._pg_dump()
