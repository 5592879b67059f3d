"""The SQL of ``notifications``. All other queries are querysets."""

from typing import Final

from config.core.database.sql import IS_OVER, OLDEST

# Finds the composed notifications with one of many questions: unsent ones, and pushes that were sent. A queryset cannot
# join with a list of values.
COMPOSED_WITH_QUESTION: Final = """
    WITH key AS MATERIALIZED (SELECT * FROM json_to_recordset(%s::json) AS key (topic text, question text))
    SELECT notification.id, notification.channel = 'push', false
    FROM key JOIN notifications_notification AS notification USING (topic, question)
    WHERE notification.state IN ('ready', 'merged') AND notification.reason <> 'closed'
    UNION ALL
    SELECT notification.id, true, true
    FROM key JOIN notifications_notification AS notification USING (topic, question)
    WHERE notification.state = 'sent' AND notification.channel = 'push' AND notification.reason <> 'closed'
"""

# The event stream. Its order and its epoch depend on the transactions of PostgreSQL, and one process reads it with an
# asynchronous connection, which querysets cannot use.

# Finds those of some accounts that have a program, and the followers of some topics.
SUBSCRIPTIONS: Final = """
    SELECT account_id, NULL::uuid FROM (
        SELECT account_id FROM notifications_streamlistener
        UNION ALL SELECT account_id FROM notifications_webhook WHERE disabled_at IS NULL
    ) AS program WHERE account_id = ANY(%s::bigint[])
    UNION ALL
    SELECT account_id, topic FROM notifications_streamfollower WHERE topic = ANY(%s::uuid[]) AND until > %s
"""

# Stores events for the accounts that listen, and messages to their webhooks. Returns the numbers of both.
EMIT_EVENTS: Final = """
    WITH new AS MATERIALIZED (
        SELECT gen_random_uuid() AS public_id, account, kind, data, follows, place
        FROM ROWS FROM (json_to_recordset(%s::json) AS (account bigint, kind text, data jsonb, follows boolean))
            WITH ORDINALITY AS new (account, kind, data, follows, place)
    ), stored AS (
        INSERT INTO notifications_streamevent (xid, public_id, account_id, kind, data, at)
        SELECT pg_current_xact_id()::text::bigint, new.public_id, new.account, new.kind, new.data, %s
        FROM new JOIN notifications_streamlistener AS listener ON listener.account_id = new.account
        ORDER BY new.place
        RETURNING 1
    ), posted AS (
        INSERT INTO notifications_notification (
            id, key, channel, endpoint, place, reason, topic, data, state, created_at, next_attempt_at,
            address, question, attempts, standing_by, held
        )
        SELECT gen_random_uuid(), concat(new.public_id, ':', webhook.id), %s, webhook.id,
            nextval('notifications_places'), new.kind, coalesce('game:' || (new.data->>'game'), ''), new.data,
            'ready', %s, %s, '', '', 0, false, false
        FROM new JOIN notifications_webhook AS webhook
            ON webhook.account_id = new.account AND webhook.disabled_at IS NULL AND new.kind = ANY(webhook.kinds)
        WHERE NOT new.follows
        ORDER BY new.place
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM stored), (SELECT count(*) FROM posted)
"""

# Reads the epoch, and the id of the last event of an account before a time. Leaves out events of transactions that are
# not older than all running ones.
LAST_EVENT_BEFORE: Final = f"""
    SELECT mark, (
        SELECT public_id FROM notifications_streamevent
        WHERE account_id = %s AND at < %s AND {IS_OVER}
        ORDER BY xid DESC, id DESC LIMIT 1
    )
    FROM notifications_epoch
"""

# Reads the age in seconds of the oldest of the newest events that no stream has read, or 0.
SECONDS_BEHIND: Final = """
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float FROM (
        SELECT at FROM notifications_streamevent ORDER BY id DESC LIMIT 1000
    ) AS newest WHERE at > %s AND at < clock_timestamp() - interval '10 seconds'
"""

# Reads the number of the next transaction.
NEXT_TRANSACTION: Final = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"

# Wakes the streams.
WAKE_STREAMS: Final = "SELECT pg_notify(%s, '')"

# Reads events after a position, in the order of transactions, and whether all earlier transactions are over.
READ_EVENTS: Final = f"""
    SELECT xid, id, public_id, account_id, kind, data, at, {IS_OVER}
    FROM notifications_streamevent WHERE (xid, id) > (%s, %s) ORDER BY xid, id LIMIT %s
"""

# Reads the time of the database.
DATABASE_TIME: Final = "SELECT clock_timestamp()"

# Lets only one process at a time check the epoch, so that two that notice the same restore begin only one epoch.
LOCK_EPOCH: Final = "LOCK TABLE notifications_epoch IN SHARE ROW EXCLUSIVE MODE"

# Reads the stored epoch, the identity of the cluster (its initdb, its timeline, its database), the oldest running
# transaction that may write events, and whether there are events of transactions that this cluster has not reached.
READ_EPOCH: Final = f"""
    SELECT epoch.mark, epoch.cluster, here.cluster, here.running, EXISTS (
        SELECT 1 FROM notifications_streamevent WHERE xid >= here.next
    )
    FROM (
        SELECT ({OLDEST}) AS running,
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next,
            concat_ws('/',
                (SELECT system_identifier FROM pg_control_system()),
                left(pg_walfile_name(pg_current_wal_lsn()), 8),
                (SELECT oid FROM pg_database WHERE datname = current_database())
            ) AS cluster
    ) AS here LEFT JOIN notifications_epoch AS epoch ON true
"""

# Finds an event by its id.
FIND_EVENT: Final = "SELECT 1 FROM notifications_streamevent WHERE public_id = %s"

# Deletes all events when an epoch begins.
DELETE_EVENTS: Final = "DELETE FROM notifications_streamevent"

# Deletes the former epoch.
DELETE_EPOCH: Final = "DELETE FROM notifications_epoch"

# Stores a new epoch.
INSERT_EPOCH: Final = "INSERT INTO notifications_epoch (mark, cluster) VALUES (%s, %s)"

# Subscribes an account to a topic, unless the topic or the account has too many subscriptions.
FOLLOW_TOPIC: Final = """
    INSERT INTO notifications_streamfollower AS follower (account_id, topic, until)
    SELECT %(account)s, %(topic)s, %(until)s
    WHERE (
        SELECT count(*) FROM notifications_streamfollower WHERE topic = %(topic)s AND account_id <> %(account)s
    ) < %(most)s AND (
        SELECT count(*) FROM notifications_streamfollower WHERE account_id = %(account)s AND topic <> %(topic)s
    ) < %(most)s
    ON CONFLICT (topic, account_id) DO UPDATE SET until = EXCLUDED.until
    RETURNING 1
"""
