-- +goose Up

-- See the migrations for SQLite. Leaderboards are kept by the bot itself, and no longer by functions.
DROP FUNCTION stand(text, boolean, text);
DROP FUNCTION stand_all(text);
DROP VIEW sums;
DROP VIEW entries;

ALTER TABLE scores    RENAME TO scores_before;
ALTER TABLE standings RENAME TO standings_before;
ALTER TABLE stretches RENAME TO stretches_before;
ALTER INDEX scores_pkey    RENAME TO scores_before_pkey;
ALTER INDEX standings_pkey RENAME TO standings_before_pkey;
ALTER INDEX stretches_pkey RENAME TO stretches_before_pkey;
DROP INDEX scores_player;

CREATE TABLE scores (
  venue      text COLLATE "C" NOT NULL,
  player     text COLLATE "C" NOT NULL,
  season     integer NOT NULL,
  rules      text COLLATE "C" NOT NULL,
  level      text COLLATE "C" NOT NULL,
  wins       integer NOT NULL,
  draws      integer NOT NULL,
  losses     integer NOT NULL,
  reached    bigint NOT NULL,
  beaten     bigint,
  fewest     integer NOT NULL DEFAULT 0,
  fewest_at  bigint,
  run        integer NOT NULL DEFAULT 0,
  longest    integer NOT NULL DEFAULT 0,
  longest_at bigint,
  latest     bigint,
  PRIMARY KEY (venue, player, season, rules, level),
  CONSTRAINT is_score CHECK (player NOT IN ('', 'left') AND wins >= 0 AND draws >= 0 AND losses >= 0 AND (reached = 0) = (wins + losses = 0))
);

CREATE INDEX scores_player ON scores (player, venue);

CREATE TABLE standings (
  venue       text COLLATE "C" NOT NULL CHECK (venue <> ''),
  player      text COLLATE "C" NOT NULL,
  season      integer NOT NULL,
  rules       text COLLATE "C" NOT NULL,
  leaderboard text COLLATE "C" NOT NULL,
  place       text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, player, season, rules, leaderboard)
);

CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place);

CREATE TABLE stretches (
  venue       text COLLATE "C" NOT NULL,
  season      integer NOT NULL,
  rules       text COLLATE "C" NOT NULL,
  leaderboard text COLLATE "C" NOT NULL,
  first       text COLLATE "C" NOT NULL,
  length      integer NOT NULL,
  PRIMARY KEY (venue, season, rules, leaderboard, first)
);

CREATE TABLE recounts (
  venue  text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, player)
);

CREATE INDEX recounts_player ON recounts (player);

INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached)
  SELECT venue, player, 0, '', level, wins, draws, losses, reached FROM scores_before;
INSERT INTO standings (venue, player, season, rules, leaderboard, place)
  SELECT venue, player, 0, '', CASE WHEN computers THEN 'computers' ELSE 'people' END, place FROM standings_before;
INSERT INTO stretches (venue, season, rules, leaderboard, first, length)
  SELECT venue, 0, '', CASE WHEN computers THEN 'computers' ELSE 'people' END, first, length FROM stretches_before;
INSERT INTO recounts (venue, player) SELECT DISTINCT venue, player FROM scores_before;

DROP TABLE scores_before;
DROP TABLE standings_before;
DROP TABLE stretches_before;
