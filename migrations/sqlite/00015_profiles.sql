-- +goose Up

ALTER TABLE players  ADD COLUMN hidden      INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1));      -- wants to be named to nobody
ALTER TABLE policies ADD COLUMN no_profiles INTEGER NOT NULL DEFAULT 0 CHECK (no_profiles IN (0, 1)); -- no profile is shown

-- One more kind.
ALTER TABLE deeds RENAME TO old_deeds;

CREATE TABLE deeds (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'draw', 'void', 'reset')),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as above
  CHECK ((kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen)
  SELECT n, id, venue, player, at, kind, match, chosen FROM old_deeds;

DROP TABLE old_deeds;

CREATE INDEX deeds_of    ON deeds (player, n);
CREATE INDEX deeds_venue ON deeds (venue, n);
