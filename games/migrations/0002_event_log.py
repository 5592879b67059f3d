"""The event log: a lean table that only grows.

It has no foreign key and no index but its key, and a trigger refuses whatever would change or remove a line, from
any client. Django does not manage it, so that nothing that empties tables (``flush``) even tries.
"""

from django.db import migrations

CREATE = """
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

DROP = """
DROP TABLE games_event;
DROP TRIGGER games_archivedlog_stays ON games_archivedlog;
DROP FUNCTION games_event_only_grows();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunSQL(CREATE, DROP)]
