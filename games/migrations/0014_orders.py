from django.db import migrations, models
from django.db.models import Q

VIA = [("api", "Api"), ("mail", "Mail"), ("page", "Page"), ("house", "House"), ("clock", "Clock")]

NUMBER = """
    UPDATE games_standingorder AS kept SET number = counted.number
    FROM (SELECT id, row_number() OVER (PARTITION BY game_id, seat ORDER BY created_at, id) AS number
          FROM games_standingorder) AS counted
    WHERE counted.id = kept.id;
    UPDATE games_seat AS place SET orders = given.orders
    FROM (SELECT game_id, seat, max(number) AS orders FROM games_standingorder GROUP BY game_id, seat) AS given
    WHERE given.game_id = place.game_id AND given.seat = place.number;
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0013_absence")]

    operations = [
        migrations.AddField("seat", "orders", models.PositiveIntegerField(default=0)),
        migrations.AddField("move", "obeyed", models.TextField(null=True)),
        migrations.AlterField("move", "via", models.CharField(choices=VIA, max_length=10)),
        migrations.AddIndex(
            "move", models.Index(fields=["game", "seat"], condition=Q(obeyed__isnull=False), name="move_by_order")
        ),
        migrations.AddField("standingorder", "number", models.PositiveIntegerField(default=0), preserve_default=False),
        migrations.AddField(
            "standingorder", "via", models.CharField(choices=VIA, default="api", max_length=10), preserve_default=False
        ),
        migrations.AddField("standingorder", "times", models.PositiveIntegerField(default=0)),
        migrations.AddField("standingorder", "last_at", models.DateTimeField(null=True)),
        migrations.AddField("standingorder", "last_answer", models.TextField(null=True)),
        migrations.RunSQL(NUMBER, migrations.RunSQL.noop),
        migrations.AddConstraint(
            "standingorder",
            models.UniqueConstraint(fields=["game", "seat", "number"], name="one_order_a_number"),
        ),
    ]
