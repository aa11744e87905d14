-- +goose Up

-- What a match counts for the ratings of its players, and if nothing, why; not set where it is of no ladder.
ALTER TABLE matches ADD COLUMN stakes TEXT CHECK (stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart'));
ALTER TABLE challenges ADD COLUMN casual INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)); -- the match is not to be rated
ALTER TABLE policies ADD COLUMN casual INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)); -- no match is rated

-- The rated matches of each player, and how the player stood after each: a ladder is one venue and one rule set.
CREATE TABLE rated (
  venue           TEXT    NOT NULL CHECK (venue <> ''),
  rules           TEXT    NOT NULL CHECK (rules <> ''),
  player          TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  at              INTEGER NOT NULL, -- when the match ended
  match           TEXT    NOT NULL,
  opponent        TEXT    NOT NULL CHECK (opponent NOT IN ('', player)),
  score           REAL    NOT NULL CHECK (score IN (0, 0.5, 1)),
  weight          REAL    NOT NULL CHECK (weight IN (0.5, 1)),
  met             INTEGER NOT NULL CHECK (met IN (0, 1)), -- whether it was the first with this opponent
  -- The opponent's rating as it counted.
  other_value     REAL    NOT NULL,
  other_deviation REAL    NOT NULL,
  -- The player's, after it, and all matches so far.
  value           REAL    NOT NULL,
  deviation       REAL    NOT NULL,
  volatility      REAL    NOT NULL,
  wins            INTEGER NOT NULL,
  draws           INTEGER NOT NULL,
  losses          INTEGER NOT NULL,
  opponents       INTEGER NOT NULL,
  PRIMARY KEY (venue, rules, player, at, match)
) STRICT, WITHOUT ROWID;

CREATE INDEX rated_in_order ON rated (venue, rules, at, match);
CREATE INDEX rated_match    ON rated (match);
CREATE INDEX rated_player   ON rated (player, match);

-- How players stand: what the latest of their rated matches says.
CREATE TABLE ratings (
  venue      TEXT    NOT NULL CHECK (venue <> ''),
  rules      TEXT    NOT NULL CHECK (rules <> ''),
  player     TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  value      REAL    NOT NULL,
  deviation  REAL    NOT NULL,
  volatility REAL    NOT NULL,
  at         INTEGER NOT NULL,
  wins       INTEGER NOT NULL,
  draws      INTEGER NOT NULL,
  losses     INTEGER NOT NULL,
  opponents  INTEGER NOT NULL,
  place      TEXT    NOT NULL, -- sorts as the ladder does
  PRIMARY KEY (venue, rules, player)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX ratings_place ON ratings (venue, rules, place);
CREATE INDEX ratings_player ON ratings (player, venue, rules);

-- Ratings that follow each other, counted together; see stretches.
CREATE TABLE rating_buckets (
  venue  TEXT    NOT NULL,
  rules  TEXT    NOT NULL,
  first  TEXT    NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (venue, rules, first)
) STRICT, WITHOUT ROWID;

-- From which match on a ladder has to be worked out again.
CREATE TABLE replays (
  venue TEXT    NOT NULL,
  rules TEXT    NOT NULL,
  at    INTEGER NOT NULL,
  match TEXT    NOT NULL,
  PRIMARY KEY (venue, rules)
) STRICT, WITHOUT ROWID;
