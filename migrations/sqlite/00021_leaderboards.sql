-- +goose Up

-- Leaderboards are kept by the bot itself, and no longer by triggers.
DROP TRIGGER scores_added;
DROP TRIGGER scores_changed;
DROP TRIGGER scores_removed;
DROP TRIGGER standings_added;
DROP TRIGGER standings_removed;
DROP TRIGGER stretches_grown;

ALTER TABLE scores RENAME TO scores_before;
ALTER TABLE standings RENAME TO standings_before;
ALTER TABLE stretches RENAME TO stretches_before;
DROP INDEX scores_player;
DROP INDEX standings_ranking;

-- What the ended matches of a season add up to, on one board or on all boards together, which are called ''. It is kept with each match
-- that ends, and can be counted anew from them.
CREATE TABLE scores (
  venue      TEXT    NOT NULL,
  player     TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  season     INTEGER NOT NULL,
  rules      TEXT    NOT NULL,
  level      TEXT    NOT NULL,           -- of the computer played against; empty against people
  wins       INTEGER NOT NULL CHECK (wins >= 0),
  draws      INTEGER NOT NULL CHECK (draws >= 0),
  losses     INTEGER NOT NULL CHECK (losses >= 0),
  reached    INTEGER NOT NULL,           -- when wins and losses came to be what they are; 0 while there are only draws
  -- Against the computer: the first win, the win with the fewest moves of one's own, and the run of draws against the level that
  -- never loses: how long it is, how long one ever was, and when the latest match ended that it is about.
  beaten     INTEGER,
  fewest     INTEGER NOT NULL DEFAULT 0,
  fewest_at  INTEGER,
  run        INTEGER NOT NULL DEFAULT 0,
  longest    INTEGER NOT NULL DEFAULT 0,
  longest_at INTEGER,
  latest     INTEGER,
  PRIMARY KEY (venue, player, season, rules, level),
  CHECK ((reached = 0) = (wins + losses = 0))
) STRICT, WITHOUT ROWID;

CREATE INDEX scores_player ON scores (player, venue);

-- Where players stand on leaderboards: places sort as the leaderboard does.
CREATE TABLE standings (
  venue       TEXT    NOT NULL CHECK (venue <> ''),
  player      TEXT    NOT NULL,
  season      INTEGER NOT NULL,
  rules       TEXT    NOT NULL,
  leaderboard TEXT    NOT NULL,
  place       TEXT    NOT NULL,
  PRIMARY KEY (venue, player, season, rules, leaderboard)
) STRICT, WITHOUT ROWID;

CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place);

-- Rank buckets: standings that follow each other, counted together, so that ranks and pages are found by adding up some hundred lengths
-- instead of counting a million rows. A bucket goes from its first place, which is that of a standing, to the next one's. The first of
-- a leaderboard begins before all places. No CHECK holds the length: should it ever be wrong, pages are, and matches still end.
CREATE TABLE stretches (
  venue       TEXT    NOT NULL,
  season      INTEGER NOT NULL,
  rules       TEXT    NOT NULL,
  leaderboard TEXT    NOT NULL,
  first       TEXT    NOT NULL,
  length      INTEGER NOT NULL,
  PRIMARY KEY (venue, season, rules, leaderboard, first)
) STRICT, WITHOUT ROWID;

-- Whose scores have to be counted anew from the matches.
CREATE TABLE recounts (
  venue  TEXT NOT NULL,
  player TEXT NOT NULL,
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX recounts_player ON recounts (player);

-- What was known is known at once, of all boards together. All else is counted by the bot once it runs.
INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached)
  SELECT venue, player, 0, '', level, wins, draws, losses, reached FROM scores_before;
INSERT INTO standings (venue, player, season, rules, leaderboard, place)
  SELECT venue, player, 0, '', iif(computers, 'computers', 'people'), place FROM standings_before;
INSERT INTO stretches (venue, season, rules, leaderboard, first, length)
  SELECT venue, 0, '', iif(computers, 'computers', 'people'), first, length FROM stretches_before;
INSERT INTO recounts (venue, player) SELECT DISTINCT venue, player FROM scores_before;

DROP TABLE scores_before;
DROP TABLE standings_before;
DROP TABLE stretches_before;
