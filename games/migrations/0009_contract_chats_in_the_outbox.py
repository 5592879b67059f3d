"""Messages to group chats are delivered by the outbox."""

import django.contrib.postgres.functions
import django.db.models.functions.datetime
import uuid
from django.db import migrations, models

CARRY_CHANNELS = """
    UPDATE games_tablechannel
    SET next_change_at = coalesce(next_attempt_at, now()), stopped_at = CASE WHEN next_attempt_at IS NULL THEN now() END
"""
CARRY_POSTS = """
    INSERT INTO notifications_notification (
        id, key, channel, endpoint, place, reason, topic, data, state, created_at, next_attempt_at,
        attempts, address, question, standing_by, held
    )
    SELECT gen_random_uuid(), concat(post.key, ':', channel.endpoint), 'club-chats', channel.endpoint,
        nextval('notifications_places'), post.event,
        coalesce('league:' || tournament.league, 'tournament:' || tournament.id),
        jsonb_build_object('tournament', tournament.id, 'round', post.round), 'ready', now(), post.next_attempt_at,
        post.attempts, '', '', false, false
    FROM games_tournamentpost AS post
        JOIN games_clubchannel AS channel ON channel.club_id = post.channel_id
        JOIN games_tournament AS tournament ON tournament.id = post.tournament_id
    ORDER BY post.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_lists_in_order'),
        ('notifications', '0004_contract_messages_to_endpoints'),
    ]

    operations = [
        migrations.AddField(
            model_name='clubchannel',
            name='endpoint',
            field=models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), db_index=True, default=uuid.uuid4),
        ),
        migrations.AddField(
            model_name='tablechannel',
            name='endpoint',
            field=models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), db_index=True, default=uuid.uuid4),
        ),
        migrations.AddField(
            model_name='tablechannel',
            name='next_change_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True),
        ),
        migrations.AddField(
            model_name='tablechannel',
            name='stopped_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunSQL(CARRY_CHANNELS, migrations.RunSQL.noop),
        migrations.RemoveField(
            model_name='tablechannel',
            name='attempts',
        ),
        migrations.RemoveField(
            model_name='tablechannel',
            name='next_attempt_at',
        ),
        migrations.RunSQL(CARRY_POSTS, migrations.RunSQL.noop),
        migrations.DeleteModel(
            name='TournamentPost',
        ),
    ]
