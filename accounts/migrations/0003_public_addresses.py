"""Check the address of an account by ``validate_address``. The column stays the same."""

from typing import ClassVar

from django.db import migrations, models

import accounts.credentials


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0002_idempotency_keys_by_account")]

    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="account",
                    name="email",
                    field=models.EmailField(
                        error_messages={"unique": "This email is taken."},
                        max_length=254,
                        unique=True,
                        validators=[accounts.credentials.validate_address],
                        verbose_name="address",
                    ),
                )
            ]
        )
    ]
