from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0012_mail_failures")]

    operations = [
        migrations.CreateModel(
            name="Epoch",
            fields=[
                ("mark", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("cluster", models.CharField(max_length=100)),
            ],
        ),
    ]
