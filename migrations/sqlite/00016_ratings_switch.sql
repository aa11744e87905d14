-- +goose Up

-- Moderators switch ratings on and off, too: one more kind of what they did. SQLite changes no check of a table that is there.
CREATE TABLE new_deeds (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'draw', 'void', 'reset')),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as in policies
  CHECK ((kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

INSERT INTO new_deeds (n, id, venue, player, at, kind, match, chosen) SELECT n, id, venue, player, at, kind, match, chosen FROM deeds;
DROP TABLE deeds;
ALTER TABLE new_deeds RENAME TO deeds;

CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE INDEX deeds_of    ON deeds (player, n);
