-- +goose Up

-- Rank buckets: standings that follow each other, counted together, so that ranks and pages are found by adding up some hundred lengths.
-- A bucket of level 0 counts some hundred standings, one of level 1 those of some hundred buckets of level 0. On each level the first
-- bucket of a leaderboard begins before all places, and each other with the place of one of its standings.
CREATE TABLE rank_buckets (
  venue       TEXT    NOT NULL,
  season      INTEGER NOT NULL,
  rules       TEXT    NOT NULL,
  leaderboard TEXT    NOT NULL,
  level       INTEGER NOT NULL,
  first       TEXT    NOT NULL,
  length      INTEGER NOT NULL,
  PRIMARY KEY (venue, season, rules, leaderboard, level, first)
) STRICT, WITHOUT ROWID;

INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length)
  SELECT venue, season, rules, leaderboard, level, CASE WHEN n = 0 THEN '' ELSE min(place) END, count(*)
  FROM (SELECT venue, season, rules, leaderboard, place, level, CASE WHEN total > 2048 THEN preceding / size ELSE 0 END AS n
    FROM (SELECT venue, season, rules, leaderboard, place, count(*) OVER (PARTITION BY venue, season, rules, leaderboard) AS total,
        row_number() OVER (PARTITION BY venue, season, rules, leaderboard ORDER BY place) - 1 AS preceding
      FROM standings) CROSS JOIN (SELECT 0 AS level, 128 AS size UNION ALL SELECT 1, 32768))
  GROUP BY venue, season, rules, leaderboard, level, n
  ORDER BY venue, season, rules, leaderboard, level, n;

DROP TABLE stretches;

-- What has led to a place on a ladder: how the player stood after the latest rated match of the season. Places on other leaderboards follow
-- from scores, and have none of this.
ALTER TABLE standings ADD COLUMN value      REAL;
ALTER TABLE standings ADD COLUMN deviation  REAL;
ALTER TABLE standings ADD COLUMN volatility REAL;
ALTER TABLE standings ADD COLUMN at         INTEGER;
ALTER TABLE standings ADD COLUMN wins       INTEGER;
ALTER TABLE standings ADD COLUMN draws      INTEGER;
ALTER TABLE standings ADD COLUMN losses     INTEGER;
ALTER TABLE standings ADD COLUMN opponents  INTEGER;

DROP INDEX standings_place;
UPDATE standings SET (value, deviation, volatility, at, wins, draws, losses, opponents) = (
    SELECT value, deviation, volatility, at, wins, draws, losses, opponents FROM rated AS r
    WHERE r.venue = standings.venue AND r.rules = standings.rules AND r.player = standings.player AND r.at <= coalesce(
      (SELECT began FROM seasons AS s WHERE s.venue = standings.venue AND s.number = standings.season + 1), 9223372036854775807)
    ORDER BY r.at DESC, r.match DESC LIMIT 1)
  WHERE leaderboard = 'rating';

-- A page of a leaderboard is read from this index alone.
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents);
