-- +goose Up

-- The gateway session of each shard, as the next process can resume it: Discord's name of it, the number of the latest event
-- that need not come again, and a digest of the token. Whoever takes a row deletes it, so that nobody else resumes it too.
CREATE TABLE sessions (
  shard    INTEGER NOT NULL PRIMARY KEY CHECK (shard >= 0),
  shards   INTEGER NOT NULL CHECK (shards > shard),
  id       TEXT    NOT NULL CHECK (id <> ''),
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  token    TEXT    NOT NULL,
  saved    INTEGER NOT NULL
) STRICT;
