"""An index of rejected moves, of which only the latest of each seat are kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0020_outages_until")]
    operations = [
        migrations.AddIndex(
            model_name="move",
            index=models.Index(
                condition=models.Q(("state", "rejected")),
                fields=["game", "seat", "-received_at"],
                name="move_rejected",
            ),
        ),
    ]
