import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ACCOUNT = settings.AUTH_USER_MODEL
SET_NULL = django.db.models.deletion.SET_NULL

# Who did it, on whom and upon which report may be forgotten with these rows; nothing else of an act ever changes.
KEEP_ACTS = """
CREATE FUNCTION accounts_keep_acts() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER keep_acts BEFORE UPDATE OR DELETE ON accounts_act
    FOR EACH ROW EXECUTE FUNCTION accounts_keep_acts();
"""
FORGET = "DROP TRIGGER keep_acts ON accounts_act; DROP FUNCTION accounts_keep_acts();"


def to(model, **more):
    return models.ForeignKey(null=True, on_delete=SET_NULL, related_name=more.get('related_name', '+'), to=model)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_people'),
    ]

    operations = [
        migrations.AlterModelOptions(name='account', options={'permissions': [('moderate', 'Can act on reports')]}),
        migrations.AddField('account', 'suspended_until', models.DateTimeField(blank=True, null=True)),
        migrations.AddField('account', 'silent_until', models.DateTimeField(blank=True, null=True)),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('remark', 'something that was said'), ('name', 'a name'), ('conduct', 'how somebody behaves')], max_length=10)),
                ('reason', models.TextField()),
                ('subject', models.CharField(blank=True, max_length=100)),
                ('place', models.CharField(blank=True, max_length=100)),
                ('evidence', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('open', 'open'), ('dismissed', 'dismissed'), ('acted', 'acted upon')], default='open', max_length=10)),
                ('accused', to(ACCOUNT)),
                ('reporter', to(ACCOUNT)),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'made_at'], name='reports_in_order')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('reporter', 'accused', 'kind', 'subject'), name='report_open_once')],
            },
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[
                    ('dismiss', 'dismiss the report'), ('warn', 'warn by mail'), ('hide', 'hide the remark'), ('show', 'show the remark again'),
                    ('silence', 'let them say nothing for some days'), ('unsilence', 'let them talk again'),
                    ('suspend', 'suspend the account for some days'), ('close', 'close the account'), ('reopen', 'open the account again'),
                ], max_length=10)),
                ('subject', models.CharField(blank=True, max_length=100)),
                ('why', models.TextField()),
                ('until', models.DateTimeField(null=True)),
                ('at', models.DateTimeField()),
                ('account', to(ACCOUNT)),
                ('moderator', to(ACCOUNT)),
                ('report', to('accounts.report', related_name='acts')),
            ],
        ),
        migrations.RunSQL(KEEP_ACTS, FORGET),
    ]
