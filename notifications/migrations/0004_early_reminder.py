"""The early reminder for those whose preferences are older than it, unless they want no reminders."""

from django.db import migrations

ADD = """
    UPDATE notifications_preferences SET reminders = array_prepend('alone', reminders)
    WHERE cardinality(reminders) BETWEEN 1 AND 7 AND NOT 'alone' = ANY (reminders)
"""
"""Eight reminders are the most that anybody may have."""


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0003_trace'),
    ]

    operations = [
        migrations.RunSQL(ADD, migrations.RunSQL.noop),
    ]
