-- +goose Up

-- The interactions that came over HTTP of late, so that none is handled twice: whoever inserts one first has it. Ids of
-- Discord; after the time they may be forgotten.
CREATE TABLE claims (
  id    TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX claims_until ON claims (until);
