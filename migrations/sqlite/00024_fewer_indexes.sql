-- +goose Up

-- A rated match is found by its key, which its row in matches tells, and the ratings of a player by theirs. Whether two have met is
-- asked of their first match alone, so that most matches add nothing to that index.
DROP INDEX rated_match;
DROP INDEX rated_met;
CREATE INDEX rated_met ON rated (player, opponent, venue, rules, at) WHERE met;

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
  PRIMARY KEY (player, venue, rules, season)
) STRICT, WITHOUT ROWID;

INSERT INTO new_ratings (venue, rules, player, season, value, deviation, volatility, at, wins, draws, losses, opponents, place)
  SELECT venue, rules, player, season, value, deviation, volatility, at, wins, draws, losses, opponents, place FROM ratings;
DROP TABLE ratings;
ALTER TABLE new_ratings RENAME TO ratings;

CREATE UNIQUE INDEX ratings_place ON ratings (venue, rules, season, place);
