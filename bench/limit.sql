\set game random(1, 2000)
BEGIN;
SELECT version, state FROM limit_game WHERE id = :game FOR UPDATE \gset
INSERT INTO limit_event (game, number, body) SELECT :game, :version + n, repeat('e', 200) FROM generate_series(1, 3) AS n;
UPDATE limit_game SET state = :state, version = :version + 3, due_at = now() + interval '2 days' WHERE id = :game;
INSERT INTO limit_outbox (game, body) VALUES (:game, 'somebody is asked'), (:game, 'everybody is told');
COMMIT;
