-- +goose Up

-- What moderators do can be undone. A voided match keeps how it ended; one that went on when it was voided has nothing to keep.
ALTER TABLE matches ADD COLUMN voided_outcome TEXT CHECK (voided_outcome IN ('X', 'O', 'draw'));
ALTER TABLE matches ADD COLUMN voided_cause TEXT CHECK (CASE
    WHEN voided_cause IS NULL                         THEN voided_outcome IS NULL
    WHEN cause IS NOT 'voided'                        THEN 0
    WHEN voided_cause = 'aborted'                     THEN voided_outcome IS NULL
    WHEN voided_cause = 'no show'                     THEN voided_outcome IS NULL AND proposer IS NOT NULL
    WHEN voided_cause IN ('full board', 'moderator')  THEN voided_outcome IS 'draw'
    ELSE voided_cause IN ('line', 'resignation', 'time') AND (voided_outcome IS 'X' OR voided_outcome IS 'O')
  END);

ALTER TABLE deeds ADD COLUMN undoes TEXT -- the id of another deed, which can be undone once
  CHECK (undoes <> '') CHECK (undoes IS NULL OR kind = 'undo');
CREATE UNIQUE INDEX deeds_undoes ON deeds (undoes) WHERE undoes IS NOT NULL;

-- Each reset is a row, so that it can be undone alone. The id is that of the deed, and empty where there is none any more.
CREATE TABLE new_score_resets (
  venue TEXT    NOT NULL CHECK (venue <> ''),
  at    INTEGER NOT NULL,
  id    TEXT    NOT NULL,
  PRIMARY KEY (venue, at, id)
) STRICT, WITHOUT ROWID;

INSERT INTO new_score_resets (venue, at, id)
  SELECT venue, at, id FROM deeds WHERE kind = 'reset' AND venue IN (SELECT venue FROM score_resets)
  UNION ALL
  SELECT venue, at, '' FROM score_resets AS r
    WHERE NOT EXISTS (SELECT 1 FROM deeds WHERE kind = 'reset' AND venue = r.venue AND deeds.at = r.at);
DROP TABLE score_resets;
ALTER TABLE new_score_resets RENAME TO score_resets;

-- A reset takes no rows of ladders away any more. Those that were are worked out again.
INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation,
    value, deviation, volatility, wins, draws, losses, opponents)
  SELECT venue, rules, player, ended, id, opponent, score, CASE stakes WHEN 'half' THEN 0.5 ELSE 1 END, 0, 1500, 350, 1500, 350, 0.06, 0, 0, 0, 0
  FROM (
    SELECT *, x_player AS player, o_player AS opponent, CASE outcome WHEN 'X' THEN 1 WHEN 'O' THEN 0 ELSE 0.5 END AS score FROM matches
    UNION ALL
    SELECT *, o_player, x_player, CASE outcome WHEN 'O' THEN 1 WHEN 'X' THEN 0 ELSE 0.5 END FROM matches) AS m
  WHERE venue IN (SELECT venue FROM score_resets) AND stakes IN ('full', 'half') AND outcome IS NOT NULL AND cause <> 'moderator'
    AND player <> 'left' AND opponent IS NOT NULL
    AND EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = m.venue AND r.at >= m.ended)
  ON CONFLICT DO NOTHING;

UPDATE rated SET met = opponent = 'left' OR NOT EXISTS (
    SELECT 1 FROM rated AS b WHERE b.venue = rated.venue AND b.rules = rated.rules AND b.player = rated.player
      AND b.opponent = rated.opponent AND (b.at, b.match) < (rated.at, rated.match)
      AND b.at > coalesce((SELECT max(r.at) FROM score_resets AS r WHERE r.venue = rated.venue AND r.at < rated.at), b.at - 1)
      AND b.at > coalesce((SELECT max(s.began) FROM seasons AS s WHERE s.venue = rated.venue AND s.began < rated.at), b.at - 1))
  WHERE EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = rated.venue AND r.at >= rated.at);

INSERT INTO replays (venue, rules, at, match)
  SELECT venue, rules, min(at), '' FROM rated
  WHERE EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = rated.venue AND r.at >= rated.at)
  GROUP BY venue, rules
  ON CONFLICT (venue, rules) DO UPDATE SET at = excluded.at, match = excluded.match;
