"""Names that look alike: their skeletons, unique. Of accounts whose names look alike the oldest keeps it."""

from collections.abc import Iterator
from itertools import chain, count
from typing import Any

from django.db import migrations, models

from accounts.profile import lookalikes, names
from accounts.profile.reserved_names import is_reserved

ROOM = names.LONGEST - 6
GUESTS = {"en": "Guest", "fa": "مهمان"}


def note_skeletons(apps: Any, editor: Any) -> None:
    """Note the skeleton of each name; give those a number that look like an older account's, or are reserved."""
    taken: set[tuple[str, str]] = set()
    for account in apps.get_model("accounts", "Account").objects.order_by("created_at", "pk").iterator():
        reserved = is_reserved(account.name) and not account.is_staff
        base = GUESTS.get(account.language, "Guest") if reserved else account.name
        name = next(each for each in _choices(base) if taken.isdisjoint(_keys(each)))
        account.name, account.folded_name = name, names.folded(name)
        account.skeleton, account.shape = lookalikes.skeleton(name), lookalikes.shape(name)
        taken |= _keys(name)
        account.save(update_fields=["name", "folded_name", "skeleton", "shape"])


def _choices(name: str) -> Iterator[str]:
    return chain([name], (f"{name[:ROOM].strip()} {number}" for number in count(2)))


def _keys(name: str) -> set[tuple[str, str]]:
    found = {"folded": names.folded(name), "skeleton": lookalikes.skeleton(name), "shape": lookalikes.shape(name)}
    return set(found.items())


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_code_requests")]
    operations = [
        migrations.AddField("account", "skeleton", models.TextField(null=True, editable=False)),
        migrations.AddField("account", "shape", models.TextField(null=True, editable=False)),
        migrations.RunPython(note_skeletons, migrations.RunPython.noop, elidable=True),
        migrations.AlterField("account", "skeleton", models.TextField(unique=True, editable=False)),
        migrations.AlterField("account", "shape", models.TextField(unique=True, editable=False)),
    ]
