"""Compute the skeletons of all names anew, and stop asking for ``shape``.

The version before writes both columns and takes any value. A later migration, one that contracts, removes ``shape``.
"""

from typing import ClassVar

from django.db import migrations
from django.db.migrations.state import StateApps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Value
from django.db.models.functions import Cast, Concat
from django.db import models

from accounts.names import skeleton


def compute_skeletons(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give each account the skeleton of its name.

    If two names look alike, the first account has it, and the others have their id behind it: they keep their names.
    """
    accounts = apps.get_model("accounts", "Account").objects.using(editor.connection.alias)
    # No skeleton begins with a blank, so none stands in the way of a new one.
    accounts.update(skeleton=Concat(Value(" "), Cast(F("id"), models.TextField())))
    taken = set()
    for account, name in accounts.order_by("id").values_list("id", "name").iterator():
        form = skeleton(name)
        accounts.filter(id=account).update(skeleton=f"{form} {account}" if form in taken else form)
        taken.add(form)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0003_public_addresses")]

    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE accounts_account ALTER COLUMN shape DROP NOT NULL", migrations.RunSQL.noop
                )
            ],
            state_operations=[migrations.RemoveField("account", "shape")],
        ),
        migrations.RunPython(compute_skeletons, migrations.RunPython.noop),
    ]
