-- +goose Up

-- erasures holds, for each user whose data was deleted, the time of the deletion and a hash of the id, made with the installation's
-- key. The key is stored in no database file. A backup without the row is older than the deletion.
CREATE TABLE erasures (
  digest TEXT    NOT NULL PRIMARY KEY CHECK (digest <> ''),
  at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
