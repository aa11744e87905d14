-- +goose Up

-- See the migrations for SQLite.
CREATE TABLE rank_buckets (
  venue       text COLLATE "C" NOT NULL,
  season      integer NOT NULL,
  rules       text COLLATE "C" NOT NULL,
  leaderboard text COLLATE "C" NOT NULL,
  level       integer NOT NULL,
  first       text COLLATE "C" NOT NULL,
  length      integer NOT NULL,
  PRIMARY KEY (venue, season, rules, leaderboard, level, first)
);

INSERT INTO rank_buckets (venue, season, rules, leaderboard, level, first, length)
  SELECT venue, season, rules, leaderboard, level, CASE WHEN n = 0 THEN '' ELSE min(place) END, count(*)
  FROM (SELECT venue, season, rules, leaderboard, place, level, CASE WHEN total > 2048 THEN preceding / size ELSE 0 END AS n
    FROM (SELECT venue, season, rules, leaderboard, place, count(*) OVER (PARTITION BY venue, season, rules, leaderboard) AS total,
        row_number() OVER (PARTITION BY venue, season, rules, leaderboard ORDER BY place) - 1 AS preceding
      FROM standings) AS numbered CROSS JOIN (SELECT 0 AS level, 128 AS size UNION ALL SELECT 1, 32768) AS levels) AS counted
  GROUP BY venue, season, rules, leaderboard, level, n
  ORDER BY venue, season, rules, leaderboard, level, n;

DROP TABLE stretches;

ALTER TABLE standings
  ADD COLUMN value      double precision,
  ADD COLUMN deviation  double precision,
  ADD COLUMN volatility double precision,
  ADD COLUMN at         bigint,
  ADD COLUMN wins       integer,
  ADD COLUMN draws      integer,
  ADD COLUMN losses     integer,
  ADD COLUMN opponents  integer;

DROP INDEX standings_place;
UPDATE standings SET (value, deviation, volatility, at, wins, draws, losses, opponents) = (
    SELECT value, deviation, volatility, at, wins, draws, losses, opponents FROM rated AS r
    WHERE r.venue = standings.venue AND r.rules = standings.rules AND r.player = standings.player AND r.at <= coalesce(
      (SELECT began FROM seasons AS s WHERE s.venue = standings.venue AND s.number = standings.season + 1), 9223372036854775807)
    ORDER BY r.at DESC, r.match DESC LIMIT 1)
  WHERE leaderboard = 'rating';

-- A page of a leaderboard is read from indexes alone where possible: elsewhere each row is on another page of memory.
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place)
  INCLUDE (player, value, deviation, volatility, at, wins, draws, losses, opponents);
ALTER TABLE players DROP CONSTRAINT players_pkey, ADD PRIMARY KEY (id) INCLUDE (name, hidden);
