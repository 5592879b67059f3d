"""A trigger that refuses to change or remove what a moderator did."""

from django.db import migrations

# Who did it, on whom and upon which report may be forgotten with these rows; nothing else of an action ever changes.
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
FORGET = "DROP TRIGGER keep_moderation_actions ON accounts_moderationaction; DROP FUNCTION accounts_keep_moderation_actions();"


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [migrations.RunSQL(KEEP_ACTIONS, FORGET)]
