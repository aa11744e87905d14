-- +goose Up

-- Whose data was deleted when: a digest of the id, made with the key of the installation, which is in no database file. A backup that lacks
-- a row is older than that deletion.
CREATE TABLE erasures (
  digest TEXT    NOT NULL PRIMARY KEY CHECK (digest <> ''),
  at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
