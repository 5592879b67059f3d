from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0008_told")]

    operations = [
        migrations.RemoveField("device", "failures"),
        migrations.RemoveField("device", "next_attempt_at"),
        migrations.AddField("letter", "standing_by", models.BooleanField(default=False)),
    ]
