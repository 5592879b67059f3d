"""The tables of games, and the event log, which the database itself keeps from being changed."""

import datetime
import django.db.models.deletion
import games.models.game
import games.models.people
import games.models.community
import games.terms
import uuid
from config.core.database.schema import CreateModels
from django.conf import settings
from django.db import migrations, models

# The event log: a lean table that only grows. It has no foreign key and no index but its key, and a trigger refuses
# whatever would change or remove a line, from any client. Django does not manage it, so that nothing that empties
# tables (``flush``) even tries.
EVENT_LOG = """
CREATE TABLE games_event (
    game_id uuid NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    body text NOT NULL,
    at timestamp with time zone NOT NULL,
    via varchar(10) NOT NULL,
    seat smallint,
    move_id uuid,
    draws text,
    shown integer[],
    PRIMARY KEY (game_id, number)
);

CREATE FUNCTION games_event_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'games_event' THEN
        IF EXISTS (SELECT FROM games_archivedlog WHERE game_id = OLD.game_id) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the event log only grows: % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER games_event_only_grows
    BEFORE UPDATE OR DELETE ON games_event
    FOR EACH ROW EXECUTE FUNCTION games_event_only_grows();

CREATE TRIGGER games_event_is_not_emptied
    BEFORE TRUNCATE ON games_event
    FOR EACH STATEMENT EXECUTE FUNCTION games_event_only_grows();

CREATE TRIGGER games_archivedlog_stays
    BEFORE UPDATE OR DELETE ON games_archivedlog
    FOR EACH ROW EXECUTE FUNCTION games_event_only_grows();
"""
# Room in each page of the tables whose rows change at every move: the new row is beside the old one.
ROOM = """
ALTER TABLE games_game SET (fillfactor = 50);
ALTER TABLE games_snapshot SET (fillfactor = 50);
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Event',
                fields=[
                    ('pk', models.CompositePrimaryKey('game_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('game_id', models.UUIDField()),
                    ('number', models.PositiveIntegerField()),
                    ('body', models.TextField()),
                    ('at', models.DateTimeField()),
                    ('via', models.CharField(max_length=10)),
                    ('seat', models.PositiveSmallIntegerField(null=True)),
                    ('move_id', models.UUIDField(null=True)),
                    ('draws', models.TextField(null=True)),
                ],
                options={
                    'db_table': 'games_event',
                    'managed': False,
                },
            ),
            migrations.CreateModel(
                name='Heartbeat',
                fields=[
                    ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                    ('at', models.DateTimeField()),
                ],
            ),
            migrations.CreateModel(
                name='TimeStamp',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('root', models.CharField(max_length=64, unique=True)),
                    ('response', models.BinaryField()),
                    ('at', models.DateTimeField(db_index=True)),
                ],
            ),
            migrations.CreateModel(
                name='PlayerStats',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('rules', models.CharField(max_length=40)),
                    ('seat_count', models.PositiveSmallIntegerField()),
                    ('with_bots', models.BooleanField()),
                    ('games', models.PositiveIntegerField(default=0)),
                    ('wins', models.PositiveIntegerField(default=0)),
                    ('asked', models.PositiveIntegerField(default=0)),
                    ('in_time', models.PositiveIntegerField(default=0)),
                    ('mean', models.FloatField(default=25)),
                    ('doubt', models.FloatField(default=8.333333333333334)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='player_stats', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['rules', 'seat_count', 'with_bots'], name='stats_by_table')],
                    'constraints': [models.UniqueConstraint(fields=('account', 'rules', 'seat_count', 'with_bots'), name='one_row_a_player', nulls_distinct=False)],
                },
            ),
            migrations.CreateModel(
                name='Club',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=60)),
                    ('about', models.CharField(blank=True, max_length=300)),
                    ('code', models.CharField(default=games.models.game.new_code, max_length=12, unique=True)),
                    ('created_at', models.DateTimeField()),
                ],
            ),
            migrations.CreateModel(
                name='Game',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('code', models.CharField(default=games.models.game.new_code, max_length=12, unique=True)),
                    ('rules', models.CharField(max_length=40)),
                    ('rules_version', models.PositiveSmallIntegerField()),
                    ('options', models.JSONField(default=dict)),
                    ('seat_count', models.PositiveSmallIntegerField()),
                    ('bot_count', models.PositiveSmallIntegerField(default=0)),
                    ('chosen_bots', models.JSONField(default=list)),
                    ('private', models.BooleanField(default=False)),
                    ('terms', games.models.game.StructField(default=games.terms.GameTerms, struct=games.terms.GameTerms)),
                    ('state', models.CharField(choices=[('open', 'Open'), ('starting', 'Starting'), ('running', 'Running'), ('over', 'Over'), ('cancelled', 'Cancelled')], default='open', max_length=9)),
                    ('seed', models.BinaryField(default=games.models.game.new_seed, max_length=32)),
                    ('commitment', models.CharField(max_length=64)),
                    ('due_at', models.DateTimeField(null=True)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('draws', models.PositiveIntegerField(default=0)),
                    ('head', models.BinaryField(default=bytes, max_length=32)),
                    ('public_head', models.BinaryField(default=bytes, max_length=32)),
                    ('shown', models.JSONField(default=list)),
                    ('beacon_round', models.PositiveBigIntegerField(null=True)),
                    ('start_check_at', models.DateTimeField(null=True)),
                    ('paused_until', models.DateTimeField(null=True)),
                    ('outages_until', models.DateTimeField(null=True)),
                    ('stalled_since', models.DateTimeField(null=True)),
                    ('created_at', models.DateTimeField()),
                    ('started_at', models.DateTimeField(null=True)),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('counted', models.BooleanField(default=False)),
                    ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='hosted_games', to=settings.AUTH_USER_MODEL)),
                    ('rematch', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='first_match', to='games.game')),
                    ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='games', to='games.club')),
                    ('spectator_delay', models.DurationField(null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('private', False)), fields=['created_at', 'id'], name='game_public_by_age'), models.Index(condition=models.Q(('counted', False), ('state', 'over')), fields=['ended_at', 'id'], name='game_to_count'), models.Index(condition=models.Q(('state', 'starting')), fields=['start_check_at'], name='game_starting'), models.Index(condition=models.Q(('paused_until__isnull', False)), fields=['paused_until'], name='game_paused'), models.Index(condition=models.Q(('state', 'over')), fields=['rules', '-ended_at'], name='game_over_of_title')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('bot_count__lte', models.F('seat_count'))), name='bots_within_seats')],
                },
            ),
            migrations.CreateModel(
                name='ArchivedLog',
                fields=[
                    ('game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='games.game')),
                    ('lines', models.BinaryField()),
                ],
            ),
            migrations.CreateModel(
                name='Snapshot',
                fields=[
                    ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='games.game')),
                    ('law', models.BinaryField(max_length=32)),
                    ('table', models.BinaryField()),
                    ('state', models.BinaryField(null=True)),
                    ('version', models.PositiveIntegerField()),
                    ('head', models.BinaryField(max_length=32)),
                ],
            ),
            migrations.CreateModel(
                name='Stall',
                fields=[
                    ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='games.game')),
                    ('since', models.DateTimeField()),
                    ('tries', models.PositiveIntegerField()),
                    ('try_at', models.DateTimeField(db_index=True)),
                    ('error', models.CharField(max_length=300)),
                ],
            ),
            migrations.CreateModel(
                name='FormerPlayer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('left_at', models.DateTimeField()),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_players', to='games.game')),
                ],
            ),
            migrations.CreateModel(
                name='StandIn',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('began_at', models.DateTimeField()),
                    ('until', models.DateTimeField()),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='stand_ins', to='games.game')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('ended_at', None)), fields=['until'], name='stand_in_due')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('game', 'seat'), name='one_stand_in_a_seat'), models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('game', 'account'), name='one_seat_a_stand_in')],
                },
            ),
            migrations.CreateModel(
                name='Invitation',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('seat', models.PositiveSmallIntegerField(null=True)),
                    ('address', models.EmailField(blank=True, max_length=254)),
                    ('mailbox', models.BinaryField(max_length=32)),
                    ('domain', models.BinaryField(max_length=32)),
                    ('language', models.CharField(max_length=2)),
                    ('note', models.CharField(blank=True, max_length=200)),
                    ('state', models.CharField(choices=[('open', 'Open'), ('joined', 'Joined'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='open', max_length=9)),
                    ('created_at', models.DateTimeField()),
                    ('answered_at', models.DateTimeField(null=True)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='games.game')),
                    ('inviter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['created_at'], name='invitation_by_age')],
                },
            ),
            migrations.CreateModel(
                name='Move',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('question', models.CharField(blank=True, max_length=20)),
                    ('text', models.TextField(null=True)),
                    ('body', models.TextField(null=True)),
                    ('via', models.CharField(choices=[('api', 'Api'), ('mail', 'Mail'), ('page', 'Page'), ('bot', 'Bot'), ('timeout', 'Timeout')], max_length=10)),
                    ('bot_version', models.PositiveSmallIntegerField(null=True)),
                    ('plan', models.TextField(null=True)),
                    ('received_at', models.DateTimeField()),
                    ('asked_at', models.DateTimeField(null=True)),
                    ('state', models.CharField(choices=[('received', 'Received'), ('applied', 'Applied'), ('rejected', 'Rejected'), ('failed', 'Failed')], default='received', max_length=8)),
                    ('code', models.CharField(blank=True, max_length=20)),
                    ('phrase', models.TextField(null=True)),
                    ('first_event', models.PositiveIntegerField(null=True)),
                    ('last_event', models.PositiveIntegerField(null=True)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('account', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='games.game')),
                    ('seen_at', models.DateTimeField(null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('state', 'received')), fields=['game', 'received_at', 'id'], name='move_unresolved'), models.Index(condition=models.Q(('state', 'received')), fields=['received_at'], name='move_waiting'), models.Index(condition=models.Q(('state', 'failed')), fields=['received_at'], name='move_set_aside'), models.Index(condition=models.Q(('state', 'rejected')), fields=['game', 'seat', '-received_at'], name='move_rejected'), models.Index(condition=models.Q(('plan__isnull', False)), fields=['game', 'seat'], name='move_by_plan'), models.Index(fields=['account', '-received_at'], name='move_of_account')],
                },
            ),
            migrations.CreateModel(
                name='OpenQuestion',
                fields=[
                    ('pk', models.CompositePrimaryKey('game_id', 'question', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('question', models.CharField(max_length=20)),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('kind', models.CharField(max_length=20)),
                    ('reason', models.CharField(max_length=40)),
                    ('asked_at', models.DateTimeField()),
                    ('due_at', models.DateTimeField()),
                    ('aimed', models.BooleanField(default=True)),
                    ('bot', models.BooleanField(default=False)),
                    ('remind_at', models.DateTimeField(null=True)),
                    ('planned_at', models.DateTimeField(null=True)),
                    ('why', models.JSONField(default=list)),
                    ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='open_questions', to='games.game')),
                    ('alone', models.BooleanField(db_default=False, default=False)),
                    ('seen_at', models.DateTimeField(null=True)),
                    ('reminders', models.JSONField(db_default=[], default=list)),
                ],
                options={
                    'indexes': [models.Index(fields=['due_at'], name='question_due'), models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='question_to_remind'), models.Index(condition=models.Q(('planned_at__isnull', False)), fields=['planned_at'], name='question_planned')],
                },
            ),
            migrations.CreateModel(
                name='StampedHead',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('head', models.BinaryField(max_length=32)),
                    ('path', models.JSONField(default=list)),
                    ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='stamped_heads', to='games.game')),
                    ('stamp', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='heads', to='games.timestamp')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('game', 'head'), name='one_stamp_a_head')],
                },
            ),
            migrations.CreateModel(
                name='ChatMessage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('to', models.PositiveSmallIntegerField(null=True)),
                    ('text', models.TextField(blank=True)),
                    ('sent_at', models.DateTimeField()),
                    ('hidden', models.BooleanField(default=False)),
                    ('author', models.ForeignKey(null=True, on_delete=games.models.people.blank_messages_of_author, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chat_messages', to='games.game')),
                    ('reader', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['author', 'sent_at'], name='chat_messages_of_author')],
                },
            ),
            migrations.CreateModel(
                name='Result',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('bot', models.BooleanField()),
                    ('won', models.BooleanField()),
                    ('place', models.PositiveSmallIntegerField()),
                    ('team', models.PositiveSmallIntegerField()),
                    ('score', models.IntegerField(null=True)),
                    ('asked', models.PositiveIntegerField()),
                    ('in_time', models.PositiveIntegerField()),
                    ('rating', models.IntegerField(null=True)),
                    ('bluffs', models.JSONField(default=list)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='results', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='games.game')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('game', 'seat'), name='one_result_a_seat')],
                },
            ),
            migrations.CreateModel(
                name='Seat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('bot', models.BooleanField(default=False)),
                    ('name', models.CharField(blank=True, max_length=40)),
                    ('level', models.CharField(default='normal', max_length=10)),
                    ('style', models.CharField(default='balanced', max_length=10)),
                    ('seed', models.CharField(blank=True, max_length=64)),
                    ('seed_commitment', models.CharField(blank=True, max_length=64)),
                    ('next_seed_commitment', models.CharField(blank=True, max_length=64)),
                    ('missed', models.PositiveSmallIntegerField(default=0)),
                    ('spared', models.BooleanField(default=False)),
                    ('away', models.BooleanField(default=False)),
                    ('returning', models.BooleanField(default=False)),
                    ('plan_count', models.PositiveIntegerField(default=0)),
                    ('time_bank', models.DurationField(null=True)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='seats', to=settings.AUTH_USER_MODEL)),
                    ('stand_in', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.standin')),
                    ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.game')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='one_player_a_seat'), models.UniqueConstraint(fields=('game', 'account'), name='one_seat_a_player')],
                },
            ),
            migrations.CreateModel(
                name='Plan',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('number', models.PositiveIntegerField()),
                    ('body', models.TextField()),
                    ('via', models.CharField(choices=[('api', 'Api'), ('mail', 'Mail'), ('page', 'Page'), ('bot', 'Bot'), ('timeout', 'Timeout')], max_length=10)),
                    ('created_at', models.DateTimeField()),
                    ('after', models.CharField(default='', max_length=20)),
                    ('done_at', models.DateTimeField(null=True)),
                    ('times', models.PositiveIntegerField(default=0)),
                    ('last_at', models.DateTimeField(null=True)),
                    ('last_answer', models.TextField(null=True)),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plans', to='games.game')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('game', 'seat', 'number'), name='one_plan_a_number')],
                },
            ),
            migrations.CreateModel(
                name='TableChannel',
                fields=[
                    ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='channel', serialize=False, to='games.game')),
                    ('app', models.CharField(max_length=20)),
                    ('address', models.CharField(blank=True, max_length=2000)),
                    ('secret', models.TextField()),
                    ('language', models.CharField(choices=[('en', 'English'), ('fa', 'فارسی')], max_length=7)),
                    ('message', models.CharField(blank=True, max_length=255)),
                    ('told', models.BinaryField(default=bytes, max_length=32)),
                    ('text', models.CharField(blank=True, max_length=64)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('next_attempt_at', models.DateTimeField(db_index=True, null=True)),
                    ('remind_at', models.DateTimeField(db_index=True, null=True)),
                ],
            ),
            migrations.CreateModel(
                name='Seek',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('rules', models.CharField(max_length=40)),
                    ('least', models.PositiveSmallIntegerField()),
                    ('most', models.PositiveSmallIntegerField()),
                    ('speed', models.CharField(max_length=10)),
                    ('options', models.JSONField(default=dict)),
                    ('fill_after', models.DurationField(null=True)),
                    ('state', models.CharField(choices=[('open', 'Open'), ('matched', 'Matched'), ('withdrawn', 'Withdrawn'), ('lapsed', 'Lapsed')], default='open', max_length=9)),
                    ('created_at', models.DateTimeField()),
                    ('until', models.DateTimeField()),
                    ('look_at', models.DateTimeField()),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seeks', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.game')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['look_at'], name='seek_to_look_at'), models.Index(condition=models.Q(('state', 'open')), fields=['rules', 'speed', 'created_at'], name='seek_open'), models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['ended_at'], name='seek_ended')],
                },
            ),
            migrations.CreateModel(
                name='ClubChannel',
                fields=[
                    ('app', models.CharField(max_length=20)),
                    ('address', models.CharField(blank=True, max_length=2000)),
                    ('secret', models.TextField()),
                    ('language', models.CharField(choices=[('en', 'English'), ('fa', 'فارسی')], max_length=7)),
                    ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='channel', serialize=False, to='games.club')),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='Membership',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('role', models.CharField(choices=[('owner', 'Owner'), ('organizer', 'Organizer'), ('member', 'Member')], default='member', max_length=9)),
                    ('hears', models.BooleanField(default=True)),
                    ('joined_at', models.DateTimeField()),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                    ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='games.club')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('club', 'account'), name='one_membership_a_person'), models.UniqueConstraint(condition=models.Q(('role', 'owner')), fields=('club',), name='one_owner_a_club')],
                },
            ),
            migrations.CreateModel(
                name='AnswerTimes',
                fields=[
                    ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='answer_times', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ('half_within', models.DurationField()),
                    ('most_within', models.DurationField()),
                ],
            ),
            migrations.CreateModel(
                name='Tournament',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=60)),
                    ('about', models.CharField(blank=True, max_length=300)),
                    ('format', models.CharField(choices=[('swiss', 'Swiss'), ('round-robin', 'Round Robin'), ('knock-out', 'Knock Out'), ('league', 'League')], max_length=11)),
                    ('rules', models.CharField(max_length=40)),
                    ('options', models.JSONField(default=dict)),
                    ('speed', models.CharField(max_length=10)),
                    ('spectator_delay', models.DurationField(null=True)),
                    ('table_size', models.PositiveSmallIntegerField()),
                    ('rounds', models.PositiveSmallIntegerField(null=True)),
                    ('advance', models.PositiveSmallIntegerField(null=True)),
                    ('most', models.PositiveSmallIntegerField()),
                    ('round_length', models.DurationField()),
                    ('starts_at', models.DateTimeField()),
                    ('state', models.CharField(choices=[('open', 'Open'), ('starting', 'Starting'), ('running', 'Running'), ('over', 'Over'), ('cancelled', 'Cancelled')], default='open', max_length=9)),
                    ('seed', models.BinaryField(default=games.models.community.new_tournament_seed, max_length=32)),
                    ('commitment', models.CharField(max_length=64)),
                    ('beacon_round', models.PositiveBigIntegerField(null=True)),
                    ('beacon_signature', models.CharField(blank=True, max_length=96)),
                    ('look_at', models.DateTimeField(null=True)),
                    ('created_at', models.DateTimeField()),
                    ('started_at', models.DateTimeField(null=True)),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='tournaments', to='games.club')),
                    ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tournaments', to=settings.AUTH_USER_MODEL)),
                    ('division_size', models.PositiveSmallIntegerField(null=True)),
                    ('league', models.UUIDField(null=True)),
                    ('promoted', models.PositiveSmallIntegerField(null=True)),
                    ('season', models.PositiveSmallIntegerField(null=True)),
                    ('season_break', models.DurationField(null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('look_at__isnull', False)), fields=['look_at'], name='tournament_to_look_at'), models.Index(fields=['-created_at', 'id'], name='tournament_by_age'), models.Index(condition=models.Q(('league__isnull', False)), fields=['league', 'season'], name='season_of_league')],
                },
            ),
            migrations.CreateModel(
                name='TournamentEntry',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('number', models.PositiveSmallIntegerField()),
                    ('sits_out', models.JSONField(default=list)),
                    ('hears', models.BooleanField(default=True)),
                    ('absences', models.PositiveSmallIntegerField(default=0)),
                    ('withdrawn_at', models.DateTimeField(null=True)),
                    ('place', models.PositiveSmallIntegerField(null=True)),
                    ('joined_at', models.DateTimeField()),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='entries', to=settings.AUTH_USER_MODEL)),
                    ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='games.tournament')),
                    ('division', models.PositiveSmallIntegerField(null=True)),
                    ('movement', models.CharField(blank=True, choices=[('up', 'Up'), ('down', 'Down')], db_default='', max_length=4)),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_entry_a_number'), models.UniqueConstraint(fields=('tournament', 'account'), name='one_entry_a_person')],
                },
            ),
            migrations.CreateModel(
                name='TournamentRound',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('begins_at', models.DateTimeField()),
                    ('ends_at', models.DateTimeField()),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='drawn_rounds', to='games.tournament')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_round_a_number'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('tournament',), name='one_round_at_a_time')],
                },
            ),
            migrations.CreateModel(
                name='Pairing',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('table', 'Table'), ('bye', 'Bye'), ('rest', 'Rest')], max_length=5)),
                    ('table', models.PositiveSmallIntegerField(null=True)),
                    ('seat', models.PositiveSmallIntegerField(null=True)),
                    ('place', models.PositiveSmallIntegerField(null=True)),
                    ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='pairings', to='games.game')),
                    ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairings', to='games.tournamententry')),
                    ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairings', to='games.tournamentround')),
                ],
                options={
                    'ordering': ['table', 'seat'],
                    'constraints': [models.UniqueConstraint(fields=('round', 'entry'), name='one_part_a_round')],
                    'indexes': [models.Index(condition=models.Q(('kind', 'table'), ('place__isnull', True)), fields=['game'], name='pairing_to_settle')],
                },
            ),
            migrations.CreateModel(
                name='ClubHandle',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('handle', models.CharField(max_length=255)),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('channel', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='handles', to='games.clubchannel')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('channel', 'account'), name='one_handle_a_member')],
                },
            ),
            migrations.CreateModel(
                name='TableHandle',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('handle', models.CharField(max_length=255)),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('channel', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='handles', to='games.tablechannel')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('channel', 'account'), name='one_handle_a_player')],
                },
            ),
            migrations.CreateModel(
                name='WaitingTime',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('month', models.DateField()),
                    ('rules', models.CharField(max_length=40)),
                    ('people', models.PositiveSmallIntegerField()),
                    ('kind', models.CharField(max_length=20)),
                    ('games', models.PositiveIntegerField(default=0)),
                    ('waits', models.PositiveIntegerField(default=0)),
                    ('timed_out', models.PositiveIntegerField(default=0)),
                    ('asleep', models.DurationField(default=datetime.timedelta(0))),
                    ('not_seen', models.DurationField(default=datetime.timedelta(0))),
                    ('seen', models.DurationField(default=datetime.timedelta(0))),
                    ('planned', models.DurationField(default=datetime.timedelta(0))),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('month', 'rules', 'people', 'kind'), name='one_row_a_kind_of_question')],
                },
            ),
            migrations.CreateModel(
                name='Presence',
                fields=[
                    ('pk', models.CompositePrimaryKey('game_id', 'account_id', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('until', models.DateTimeField(db_index=True)),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game')),
                ],
            ),
            migrations.CreateModel(
                name='Analysis',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('asked_at', models.DateTimeField()),
                    ('decisions', models.PositiveIntegerField()),
                    ('findings', models.JSONField(default=list)),
                    ('done_at', models.DateTimeField(null=True)),
                    ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='analyses', to='games.game')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['asked_at'], name='analysis_to_make')],
                    'constraints': [models.UniqueConstraint(fields=('game', 'seat'), name='one_analysis_a_seat')],
                },
            ),
            migrations.CreateModel(
                name='TournamentPost',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.CharField(choices=[('opened', 'Opened'), ('moved', 'Moved'), ('round', 'Round'), ('standings', 'Standings'), ('ended', 'Ended')], max_length=9)),
                    ('round', models.PositiveSmallIntegerField(null=True)),
                    ('key', models.UUIDField(default=uuid.uuid4)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('next_attempt_at', models.DateTimeField(db_index=True)),
                    ('channel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='posts', to='games.clubchannel')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='posts', to='games.tournament')),
                ],
            ),
        ]),
        migrations.RunSQL(EVENT_LOG),
        migrations.RunSQL(ROOM),
    ]
