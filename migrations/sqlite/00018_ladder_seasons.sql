-- +goose Up

-- How players stand, in each season: what the latest of their rated matches in it says.
CREATE TABLE new_ratings (
  venue      TEXT    NOT NULL CHECK (venue <> ''),
  rules      TEXT    NOT NULL CHECK (rules <> ''),
  player     TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  season     INTEGER NOT NULL,
  value      REAL    NOT NULL,
  deviation  REAL    NOT NULL,
  volatility REAL    NOT NULL,
  at         INTEGER NOT NULL,
  wins       INTEGER NOT NULL,
  draws      INTEGER NOT NULL,
  losses     INTEGER NOT NULL,
  opponents  INTEGER NOT NULL,
  place      TEXT    NOT NULL, -- sorts as the ladder does
  PRIMARY KEY (venue, rules, player, season)
) STRICT, WITHOUT ROWID;

INSERT INTO new_ratings (venue, rules, player, season, value, deviation, volatility, at, wins, draws, losses, opponents, place)
  SELECT venue, rules, player, 0, value, deviation, volatility, at, wins, draws, losses, opponents, place FROM ratings;
DROP TABLE ratings;
ALTER TABLE new_ratings RENAME TO ratings;

CREATE UNIQUE INDEX ratings_place ON ratings (venue, rules, season, place);
CREATE INDEX ratings_player ON ratings (player, venue, rules);

-- Ratings that follow each other, counted together; see stretches.
CREATE TABLE new_rating_buckets (
  venue  TEXT    NOT NULL,
  rules  TEXT    NOT NULL,
  season INTEGER NOT NULL,
  first  TEXT    NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (venue, rules, season, first)
) STRICT, WITHOUT ROWID;

INSERT INTO new_rating_buckets (venue, rules, season, first, length) SELECT venue, rules, 0, first, length FROM rating_buckets;
DROP TABLE rating_buckets;
ALTER TABLE new_rating_buckets RENAME TO rating_buckets;

-- Whether two have met is looked up with every match that ends.
DROP INDEX rated_player;
CREATE INDEX rated_met ON rated (player, opponent, venue, rules, at, match);
