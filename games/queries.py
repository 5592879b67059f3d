"""The SQL of ``games``. All other queries are querysets."""

from typing import Final

from games.terms import LIMITS

# Logs. Only games/event_log uses these statements.

_LINE: Final = "game_id, number, body, draws, at, via, seat, move_id, shown"

# Adds lines to logs. They are sent as one JSON document, which is faster than binding every value.
APPEND_LINES: Final = f"""
    INSERT INTO games_event ({_LINE})
    SELECT {_LINE} FROM json_to_recordset(%s::json) AS new (
        game_id uuid, number int, body text, draws text, at timestamptz, via text, seat int, move_id uuid,
        shown int[]
    )
"""

# Reads the lines of many logs, each from a line of its own. A queryset cannot join with a list of values.
READ_LINES: Final = f"""
    SELECT {_LINE} FROM games_event
    JOIN unnest(%s::uuid[], %s::int[]) AS wanted (id, after) ON game_id = wanted.id AND number > wanted.after
    ORDER BY game_id, number
"""

# Reads a log from the first line that a viewer is shown after their line ``after``, with the whole decision to which
# that line belongs.
READ_SHOWN_LINES: Final = f"""
    WITH next AS (
        SELECT number, move_id FROM games_event
        WHERE game_id = %(game)s::uuid AND coalesce(shown[%(viewer)s::int], number) > %(after)s::int
        ORDER BY number LIMIT 1
    )
    SELECT {_LINE} FROM games_event
    WHERE game_id = %(game)s::uuid AND number >= (
        SELECT coalesce(min(event.number), next.number) FROM next
        LEFT JOIN games_event AS event ON event.game_id = %(game)s::uuid AND event.move_id = next.move_id
        GROUP BY next.number
    )
    ORDER BY number
"""

# Finds the first line of each game after a time of its own, and the table events since then.
YOUNG_LINES: Final = """
    SELECT game_id, min(number), array_agg(body ORDER BY number) FILTER (WHERE body LIKE '{"type":"table.%%')
    FROM games_event JOIN unnest(%s::uuid[], %s::timestamptz[]) AS wanted (id, until) ON game_id = id AND at > until
    GROUP BY game_id
"""

# Reads the snapshots of games. It runs with every move, and a queryset takes longer to build than the query to run.
SNAPSHOTS: Final = """
    SELECT game_id, version, head, law, "table", state FROM games_snapshot WHERE game_id = ANY(%s::uuid[])
"""

# Stores snapshots in place of the former ones, from one JSON document.
KEEP_SNAPSHOTS: Final = """
    INSERT INTO games_snapshot (game_id, version, head, law, "table", state)
    SELECT game, version, decode(head, 'base64'), decode(law, 'base64'), decode("table", 'base64'),
        decode(state, 'base64')
    FROM json_to_recordset(%s::json) AS new (game uuid, version int, head text, law text, "table" text, state text)
    ON CONFLICT (game_id) DO UPDATE
    SET version = excluded.version, head = excluded.head, law = excluded.law,
        "table" = excluded."table", state = excluded.state
"""

# Open questions.

# Stores the time at which players first saw questions. Skips rows that are locked elsewhere: a page must not wait for a
# move. A queryset that locks needs a transaction, and thus two more statements.
NOTE_SEEN: Final = """
    WITH unseen AS (
        SELECT game_id, question FROM games_openquestion
        WHERE (game_id, question) IN (SELECT * FROM unnest(%s::uuid[], %s::text[])) AND seen_at IS NULL
        FOR UPDATE SKIP LOCKED
    )
    UPDATE games_openquestion AS row SET seen_at = %s FROM unseen
    WHERE row.game_id = unseen.game_id AND row.question = unseen.question
"""

# Locked games. These run with every move, in a pipeline, which querysets cannot use. The braces stand for the columns.

# Locks games. FOR NO KEY UPDATE: a new move refers to the key of its game, and can be stored while the game is locked.
LOCK_GAMES: Final = "SELECT {} FROM games_game AS row WHERE row.id = ANY(%s::uuid[]) LIMIT %s FOR NO KEY UPDATE"

# Limits the time for which this transaction waits for a lock, in milliseconds.
LIMIT_LOCK_TIME: Final = "SELECT set_config('lock_timeout', %s, true)"

# Reads the open questions of games.
QUESTIONS_OF_GAMES: Final = "SELECT {} FROM games_openquestion AS row WHERE row.game_id = ANY(%s::uuid[])"

# Reads the moves of games that are not resolved yet, in the order of receipt.
MOVES_OF_GAMES: Final = """
    SELECT {} FROM games_move AS row WHERE row.game_id = ANY(%s::uuid[]) AND row.state = 'received'
    ORDER BY row.received_at, row.id
"""

# Reads the seats of games with their accounts and preferences.
SEATS_OF_GAMES: Final = """
    SELECT {seat}, {account}, {preferences}
    FROM games_seat AS seat
    LEFT JOIN accounts_account AS account ON account.id = seat.account_id
    LEFT JOIN notifications_preferences AS preferences ON preferences.account_id = account.id
    WHERE seat.game_id = ANY(%s::uuid[]) ORDER BY seat.game_id, seat.number
"""

# Reads a game and the number of a player's seat. It runs with every move over HTTP, and building a queryset takes
# longer than the query. It names few columns of the seat, so that a move is stored even if other columns are missing.
GAME_OF_PLAYER: Final = """
    SELECT {game}, seat.number
    FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
    WHERE seat.game_id = %s AND seat.account_id = %s
"""

# Marks a game as stalled, counts the failure of its first move, and stores the stall. It names few columns, so that it
# works while other columns are missing.
BEGIN_STALL: Final = """
    WITH stalled AS (
        UPDATE games_game SET stalled_since = %(now)s WHERE id = %(game)s AND stalled_since IS NULL RETURNING id
    ), failed AS (
        UPDATE games_move SET attempts = attempts + 1 WHERE id = (
            SELECT id FROM games_move WHERE game_id = %(game)s AND state = 'received' ORDER BY received_at, id LIMIT 1
        ) AND EXISTS (SELECT FROM stalled)
    )
    INSERT INTO games_stall (game_id, since, tries, try_at, error)
    SELECT id, %(now)s, 1, %(try_at)s, %(error)s FROM stalled
"""

# Finds the time that games have lost by an outage. During an outage it is returned in parts of at most an hour, and of
# at most a quarter of the shortest limit, so that no question that is asked during the outage times out.
LOST_TIMES: Final = """
    SELECT game.id, %(end)s - GREATEST(%(since)s, min(asked.asked_at), game.outages_until) AS lost
    FROM games_game AS game JOIN games_openquestion AS asked ON asked.game_id = game.id
    WHERE NOT asked.bot AND (game.terms->>'turn_limit')::interval >= %(shortest)s
        AND (game.rules, game.rules_version) IN (SELECT * FROM unnest(%(rules)s::text[], %(versions)s::int[]))
        AND (%(games)s::uuid[] IS NULL OR game.id = ANY(%(games)s))
    GROUP BY game.id
    HAVING %(end)s - GREATEST(%(since)s, min(asked.asked_at), game.outages_until) >= CASE
        WHEN %(all)s THEN interval '1 second'
        ELSE GREATEST(%(grace)s, LEAST(interval '1 hour', LEAST(
            (game.terms->>'turn_limit')::interval,
            (game.terms->>'reaction_limit')::interval,
            (game.terms->>'open_limit')::interval,
            (game.terms->>'choice_limit')::interval
        ) / 4))
    END
    ORDER BY game.id LIMIT %(limit)s
"""

# The condition that an account may see a game. It takes the id of the account three times. Subqueries of Django take
# four times as long to build.
IS_VISIBLE: Final = """(
    NOT %(private)s
    OR EXISTS (SELECT 1 FROM games_seat WHERE game_id = %(id)s AND account_id = %%s)
    OR EXISTS (SELECT 1 FROM games_membership WHERE club_id = %(club)s AND account_id = %%s)
    OR %(state)s = 'running' AND EXISTS (
        SELECT 1 FROM games_standin WHERE game_id = %(id)s AND account_id = %%s AND ended_at IS NULL
    )
)"""

# Open questions of an account. A queryset would join the seats of the account and those of its players with OR, for
# which PostgreSQL reads the open questions of all accounts.

_QUESTIONS_OF_ACCOUNT: Final = """(
        SELECT game_id, number AS seat, true AS own FROM games_seat WHERE account_id = %(account)s
        UNION ALL
        SELECT game_id, seat, false FROM games_standin WHERE account_id = %(account)s AND ended_at IS NULL
    ) AS mine
    JOIN games_openquestion AS question ON question.game_id = mine.game_id AND question.seat = mine.seat"""

# Reads the questions that an account may answer, most urgent first, with their games and the names of the players.
OPEN_QUESTIONS: Final = f"""
    SELECT {{question}}, {{game}}, mine.own, (
        SELECT json_object_agg(
            seat.number,
            coalesce((SELECT name FROM accounts_account WHERE id = seat.account_id), seat.name)
        )::text
        FROM games_seat AS seat WHERE seat.game_id = game.id
    )
    FROM {_QUESTIONS_OF_ACCOUNT} JOIN games_game AS game ON game.id = question.game_id
    WHERE NOT question.bot AND (%(game)s::uuid IS NULL OR game.id = %(game)s)
    ORDER BY question.due_at, question.game_id, question.seat
"""

# Counts the same questions, without the account's own that a plan answers.
COUNT_QUESTIONS: Final = f"""
    SELECT count(*) FROM {_QUESTIONS_OF_ACCOUNT}
    WHERE NOT question.bot AND NOT (mine.own AND question.planned_at IS NOT NULL)
"""

# Statistics of finished games. Django has no percentiles, LATERAL joins and recursive queries.

# Computes the times within which accounts have given half and nine tenths of their latest answers in slow games.
ANSWER_TIMES: Final = """
    SELECT account,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY took),
        percentile_disc(0.9) WITHIN GROUP (ORDER BY took)
    FROM unnest(%s::bigint[]) AS account, LATERAL (
        SELECT move.received_at - move.asked_at AS took
        FROM games_move AS move JOIN games_game AS game ON game.id = move.game_id
        JOIN games_seat AS seat ON seat.game_id = move.game_id AND seat.number = move.seat
            AND seat.account_id = move.account_id
        WHERE move.account_id = account AND move.state = 'applied' AND move.received_at > move.asked_at
            AND game.state = 'over' AND (game.terms->>'turn_limit')::interval >= %s
        ORDER BY move.received_at DESC LIMIT %s
    ) AS latest
    GROUP BY account HAVING count(*) >= %s
"""

# Computes the usual lengths of a title's latest games by their limits and their number of people.
DURATIONS: Final = f"""
    SELECT {", ".join(f"terms->>'{name}'" for name in LIMITS)}, seat_count - bot_count, count(*),
        percentile_disc(0.5) WITHIN GROUP (ORDER BY ended_at - started_at),
        percentile_disc(0.9) WITHIN GROUP (ORDER BY ended_at - started_at)
    FROM (
        SELECT terms, seat_count, bot_count, started_at, ended_at FROM games_game
        WHERE rules = %s AND state = 'over' AND started_at IS NOT NULL ORDER BY ended_at DESC LIMIT %s
    ) AS latest
    WHERE seat_count - bot_count > 1
    GROUP BY {", ".join(map(str, range(1, len(LIMITS) + 2)))} HAVING count(*) >= %s
"""

# Finds a game and the games before it in its series, beginning with the game itself.
SERIES: Final = """
    WITH RECURSIVE chain (id, steps) AS (
        SELECT %s::uuid, 1
        UNION ALL
        SELECT game.id, steps + 1 FROM games_game game JOIN chain ON game.rematch_id = chain.id WHERE steps < %s
    )
    SELECT id FROM chain
"""

# Finds pairs of accounts that played all their games with people together. If a third account was in most of these
# games, the pair is left out.
PAIRS_TOGETHER: Final = """
    WITH sat AS (
        SELECT game_id, account_id FROM games_result JOIN games_game AS game ON game.id = game_id
        WHERE game.state = 'over' AND NOT game.arena AND game.ended_at > %(since)s AND account_id IS NOT NULL
    ), of_people AS (
        SELECT * FROM sat WHERE game_id IN (SELECT game_id FROM sat GROUP BY game_id HAVING count(*) > 1)
    ), played AS (
        SELECT account_id, count(*) AS games FROM of_people GROUP BY account_id HAVING count(*) >= %(least)s
    ), pair AS (
        SELECT one.account_id AS first, other.account_id AS second, count(*) AS games
        FROM of_people AS one JOIN of_people AS other USING (game_id)
        WHERE one.account_id < other.account_id GROUP BY 1, 2 HAVING count(*) >= %(least)s
    )
    SELECT first, second, pair.games FROM pair
    JOIN played AS one ON one.account_id = first AND one.games = pair.games
    JOIN played AS other ON other.account_id = second AND other.games = pair.games
    WHERE NOT EXISTS (
        SELECT FROM of_people AS mine JOIN of_people AS third USING (game_id)
        WHERE mine.account_id = first AND third.account_id NOT IN (first, second)
        GROUP BY third.account_id HAVING 2 * count(*) > pair.games
    )
    ORDER BY pair.games DESC, first, second
"""

# Finds pairs in which nearly all games raise the rating of one account and lower that of the other, and which are at
# least half of the loser's rated games.
ONE_SIDED_PAIRS: Final = """
    WITH counted AS (
        SELECT result.*, game.rules, bool_or(bot) OVER (PARTITION BY game_id) AS with_bots
        FROM games_result AS result JOIN games_game AS game ON game.id = game_id
        WHERE game.state = 'over' AND NOT game.arena AND game.ended_at > %(since)s
    ), moved AS (
        SELECT game_id, account_id, team, rating - lag(rating) OVER (
            PARTITION BY account_id, rules ORDER BY id
        ) AS by
        FROM counted WHERE NOT with_bots AND account_id IS NOT NULL AND rating IS NOT NULL
    ), pair AS (
        SELECT up.account_id AS winner, down.account_id AS loser, count(*) AS games,
            sum(up.by) AS won, -sum(down.by) AS lost
        FROM moved AS up JOIN moved AS down USING (game_id)
        WHERE up.by > 0 AND down.by < 0 AND up.team <> down.team GROUP BY 1, 2
    )
    SELECT pair.winner, pair.loser, pair.games, pair.won, pair.lost FROM pair
    LEFT JOIN pair AS back ON back.winner = pair.loser AND back.loser = pair.winner
    WHERE pair.games >= %(least)s AND 10 * coalesce(back.games, 0) <= pair.games
    AND 2 * pair.games >= (SELECT count(*) FROM moved WHERE account_id = pair.loser AND by IS NOT NULL)
    ORDER BY pair.games DESC, pair.winner, pair.loser
"""

# The server. These are questions to PostgreSQL itself.

# Reads whether the database is in recovery, and its number of other connections.
DATABASE_USERS: Final = """
    SELECT pg_is_in_recovery(), count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""

# Reads the figures of the database that Prometheus gets (``games.operations.exporter``).
DATABASE_FIGURES: Final = """
    SELECT pg_database_size(current_database()), numbackends, xact_commit, xact_rollback, deadlocks, temp_bytes,
        blks_hit, blks_read,
        (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()),
        (SELECT coalesce(max(pg_wal_lsn_diff(sent_lsn, replay_lsn)), 0) FROM pg_stat_replication)
    FROM pg_stat_database WHERE datname = current_database()
"""

# Lists the settings that this PostgreSQL knows.
SETTING_NAMES: Final = "SELECT name FROM pg_settings"

# Deletes a table before a restore. Tables of a newer version refer to those of the dump, and need CASCADE.
DROP_TABLE: Final = "DROP TABLE IF EXISTS {} CASCADE"

# Makes the search path normal again after a dump, which makes it empty.
RESET_SEARCH_PATH: Final = "RESET search_path"

# Waits for the lock of a migration, and keeps it until UNLOCK_MIGRATION.
LOCK_MIGRATION: Final = "SELECT pg_advisory_lock(%s)"

# Releases the lock of a migration.
UNLOCK_MIGRATION: Final = "SELECT pg_advisory_unlock(%s)"
