-- +goose Up

-- The seasons of venues. What was played before the first is season 0, which has no row.
CREATE TABLE seasons (
  venue     TEXT    NOT NULL CHECK (venue <> ''),
  number    INTEGER NOT NULL CHECK (number > 0),
  name      TEXT    CHECK (name <> ''),          -- none after a planned end, until somebody begins another season
  began     INTEGER NOT NULL,                    -- what ended later is of this season
  ends      INTEGER,                             -- the planned end
  ended     INTEGER CHECK (ended >= began),      -- when the next one began
  player    TEXT    CHECK (player <> ''),        -- who began it; none after a planned end
  channel   TEXT    CHECK (channel <> ''),       -- where its champions are to be posted
  announced INTEGER,                             -- when somebody set about that
  PRIMARY KEY (venue, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX seasons_end      ON seasons (ends) WHERE ended IS NULL AND ends IS NOT NULL;
CREATE INDEX seasons_announce ON seasons (ended) WHERE ended IS NOT NULL AND channel IS NOT NULL AND announced IS NULL;
CREATE INDEX seasons_of       ON seasons (player);

-- Moderators begin seasons, and undo what they have done: two more kinds. SQLite changes no check of a table that is there.
CREATE TABLE new_deeds (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'draw', 'void', 'reset', 'season', 'undo')),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as in policies
  CHECK (kind = 'undo' OR (kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

INSERT INTO new_deeds (n, id, venue, player, at, kind, match, chosen) SELECT n, id, venue, player, at, kind, match, chosen FROM deeds;
DROP TABLE deeds;
ALTER TABLE new_deeds RENAME TO deeds;

CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE INDEX deeds_of    ON deeds (player, n);
