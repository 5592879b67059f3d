"""The tables of accounts, and those that no model has: the rate limits' and the cache's."""

import accounts.names
import accounts.local_times
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
import uuid
from config.core.database.schema import CreateModels
from django.conf import settings
from django.db import migrations, models

# What a moderator did is never changed or removed. Who did it, on whom and upon which report may be forgotten with
# these rows; nothing else of an action ever changes.
KEEP_ACTIONS = """
CREATE FUNCTION accounts_keep_moderation_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.id, NEW.kind, NEW.subject, NEW.why, NEW.until, NEW.at)
            IS NOT DISTINCT FROM (OLD.id, OLD.kind, OLD.subject, OLD.why, OLD.until, OLD.at)
        AND (NEW.moderator_id IS NULL OR NEW.moderator_id IS NOT DISTINCT FROM OLD.moderator_id)
        AND (NEW.account_id IS NULL OR NEW.account_id IS NOT DISTINCT FROM OLD.account_id)
        AND (NEW.report_id IS NULL OR NEW.report_id IS NOT DISTINCT FROM OLD.report_id)
    THEN RETURN NEW;
    END IF;
    RAISE EXCEPTION 'what a moderator did is never changed';
END $$;
CREATE TRIGGER keep_moderation_actions BEFORE UPDATE OR DELETE ON accounts_moderationaction
    FOR EACH ROW EXECUTE FUNCTION accounts_keep_moderation_actions();
"""
# The rate limits' table is unlogged: it is written at every request, and losing it in a crash gives everybody a full
# allowance.
LIMITS = """
CREATE UNLOGGED TABLE accounts_allowance (
    key varchar(120) PRIMARY KEY,
    full_at timestamptz NOT NULL
) WITH (fillfactor = 50)
"""
# As ``createcachetable`` makes it, so that ``migrate`` alone makes a whole database.
CACHE = """
CREATE TABLE cache (
    cache_key varchar(255) NOT NULL PRIMARY KEY,
    value text NOT NULL,
    expires timestamp with time zone NOT NULL
);
CREATE INDEX cache_expires ON cache (expires);
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Account',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('email', models.EmailField(error_messages={'unique': 'This email is taken.'}, max_length=254, unique=True, verbose_name='address')),
                    ('name', models.CharField(max_length=40, validators=[accounts.names.validate_name], verbose_name='name')),
                    ('folded_name', models.CharField(editable=False, max_length=120, unique=True)),
                    ('skeleton', models.TextField(editable=False, unique=True)),
                    ('shape', models.TextField(editable=False, unique=True)),
                    ('language', models.CharField(choices=[('en', 'English'), ('fa', 'فارسی')], default='en', max_length=2, verbose_name='language')),
                    ('time_zone', models.CharField(default='UTC', max_length=64, validators=[accounts.local_times.validate_time_zone], verbose_name='time zone')),
                    ('is_bot', models.BooleanField(default=False, verbose_name='bot account')),
                    ('is_guest', models.BooleanField(default=False)),
                    ('public_profile', models.BooleanField(default=False)),
                    ('is_staff', models.BooleanField(default=False)),
                    ('is_active', models.BooleanField(default=True)),
                    ('suspended_until', models.DateTimeField(blank=True, null=True)),
                    ('silent_until', models.DateTimeField(blank=True, null=True)),
                    ('sleep_from', models.TimeField(blank=True, null=True)),
                    ('sleep_to', models.TimeField(blank=True, null=True)),
                    ('vacations', models.JSONField(blank=True, default=list)),
                    ('calendar_key', models.CharField(blank=True, max_length=16)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                    ('shows_answer_times', models.BooleanField(db_default=True, default=True)),
                    ('shows_presence', models.BooleanField(db_default=False, default=False)),
                ],
                options={
                    'permissions': [('moderate', 'Can act on reports')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='address_in_lower_case'), models.CheckConstraint(condition=models.Q(models.Q(('sleep_from__isnull', True), ('sleep_to__isnull', True)), models.Q(('sleep_from__isnull', False), ('sleep_to__isnull', False)), _connector='OR'), name='sleep_begins_and_ends')],
                },
            ),
            migrations.CreateModel(
                name='Block',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('since', models.DateTimeField()),
                    ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'abstract': False,
                    'constraints': [models.UniqueConstraint(fields=('owner', 'other'), name='block_once'), models.CheckConstraint(condition=models.Q(('owner', models.F('other')), _negated=True), name='block_of_another')],
                },
            ),
            migrations.CreateModel(
                name='CodeRequest',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('purpose', models.CharField(choices=[('sign-up', 'Sign Up'), ('confirm', 'Confirm'), ('password', 'Password')], max_length=10)),
                    ('email', models.EmailField(max_length=254)),
                    ('digest', models.BinaryField(max_length=32, null=True)),
                    ('password', models.CharField(blank=True, max_length=128)),
                    ('details', models.JSONField(default=dict)),
                    ('asked_at', models.DateTimeField()),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['email', 'asked_at'], name='codes_of_address'), models.Index(fields=['asked_at'], name='codes_in_order')],
                },
            ),
            migrations.CreateModel(
                name='IdempotencyKey',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('method', models.CharField(max_length=10)),
                    ('path', models.CharField(max_length=200)),
                    ('key', models.CharField(max_length=200)),
                    ('fingerprint', models.BinaryField(max_length=32)),
                    ('location', models.CharField(max_length=200)),
                    ('game', models.UUIDField(null=True)),
                    ('created_at', models.DateTimeField()),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('account', 'method', 'path', 'key'), name='one_effect_an_idempotency_key')],
                },
            ),
            migrations.CreateModel(
                name='Mute',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('since', models.DateTimeField()),
                    ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'abstract': False,
                    'constraints': [models.UniqueConstraint(fields=('owner', 'other'), name='mute_once'), models.CheckConstraint(condition=models.Q(('owner', models.F('other')), _negated=True), name='mute_of_another')],
                },
            ),
            migrations.CreateModel(
                name='Report',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('kind', models.CharField(choices=[('message', 'a chat message'), ('name', 'a name'), ('conduct', 'how someone behaves')], max_length=10)),
                    ('reason', models.TextField()),
                    ('subject', models.CharField(blank=True, max_length=100)),
                    ('place', models.CharField(blank=True, max_length=100)),
                    ('evidence', models.JSONField(default=dict)),
                    ('made_at', models.DateTimeField()),
                    ('state', models.CharField(choices=[('open', 'open'), ('dismissed', 'dismissed'), ('acted', 'acted upon')], default='open', max_length=10)),
                    ('accused', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['state', 'made_at'], name='reports_in_order')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('reporter', 'accused', 'kind', 'subject'), name='report_open_once')],
                },
            ),
            migrations.CreateModel(
                name='ModerationAction',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('dismiss', 'dismiss the report'), ('warn', 'warn by email'), ('hide', 'hide the message'), ('show', 'show the message again'), ('silence', 'stop them from chatting for some days'), ('unsilence', 'let them chat again'), ('suspend', 'suspend the account for some days'), ('close', 'close the account'), ('reopen', 'open the account again'), ('pass-clubs', 'pass on the clubs of an account that is suspended or closed')], max_length=10)),
                    ('subject', models.CharField(blank=True, max_length=100)),
                    ('why', models.TextField()),
                    ('until', models.DateTimeField(null=True)),
                    ('at', models.DateTimeField()),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('moderator', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('report', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='actions', to='accounts.report')),
                ],
            ),
            migrations.CreateModel(
                name='SpentCode',
                fields=[
                    ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                    ('client', models.CharField(max_length=100)),
                    ('spent_at', models.DateTimeField()),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
            ),
            migrations.CreateModel(
                name='Token',
                fields=[
                    ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                    ('token_key', models.CharField(db_index=True, max_length=25)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('expiry', models.DateTimeField(blank=True, null=True)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('name', models.CharField(max_length=100, verbose_name='name')),
                    ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), default=list, size=None)),
                    ('last_used_at', models.DateTimeField(null=True)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='Follow',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('since', models.DateTimeField()),
                    ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'abstract': False,
                    'constraints': [models.UniqueConstraint(fields=('owner', 'other'), name='follow_once'), models.CheckConstraint(condition=models.Q(('owner', models.F('other')), _negated=True), name='follow_of_another')],
                },
            ),
            migrations.CreateModel(
                name='Sighting',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('browser', 'Browser'), ('network', 'Network')], max_length=10)),
                    ('digest', models.BinaryField(max_length=32)),
                    ('first_at', models.DateTimeField()),
                    ('last_at', models.DateTimeField()),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['kind', 'digest'], name='sightings_of_a_place'), models.Index(fields=['last_at'], name='sightings_by_age')],
                    'constraints': [models.UniqueConstraint(fields=('account', 'kind', 'digest'), name='one_sighting_a_place')],
                },
            ),
        ]),
        migrations.RunSQL(KEEP_ACTIONS),
        migrations.RunSQL(LIMITS),
        migrations.RunSQL(CACHE),
    ]
