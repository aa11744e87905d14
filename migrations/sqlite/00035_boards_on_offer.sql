-- +goose Up

-- The boards on offer in a server, a list as levels; empty offers all.
ALTER TABLE policies ADD COLUMN boards TEXT NOT NULL DEFAULT '';

-- The kinds of deeds are listed in the program alone, so that a new one needs no migration. SQLite changes no check of a table that is there.
CREATE TABLE new_deeds (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind <> ''),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as in policies
  undoes TEXT                                          -- the id of another deed, which can be undone once
    CHECK (undoes <> '') CHECK (undoes IS NULL OR kind = 'undo'),
  CHECK (kind = 'undo' OR (kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

INSERT INTO new_deeds (n, id, venue, player, at, kind, match, chosen, undoes)
  SELECT n, id, venue, player, at, kind, match, chosen, undoes FROM deeds;
DROP TABLE deeds;
ALTER TABLE new_deeds RENAME TO deeds;

CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE INDEX deeds_of    ON deeds (player, n);
CREATE UNIQUE INDEX deeds_undoes ON deeds (undoes) WHERE undoes IS NOT NULL;
