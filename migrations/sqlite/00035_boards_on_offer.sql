-- +goose Up

-- boards lists the rule sets that a server offers, in the same format as levels; an empty list offers all.
ALTER TABLE policies ADD COLUMN boards TEXT NOT NULL DEFAULT '';

-- Only the program knows the kinds of deeds, so a new kind needs no migration. SQLite cannot change a CHECK of an existing table,
-- so the table is copied.
CREATE TABLE new_deeds (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- the id of the request
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
