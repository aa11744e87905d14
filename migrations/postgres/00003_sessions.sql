-- +goose Up

-- The gateway session of each shard, as the next process can resume it: Discord's name of it, the number of the latest event
-- that need not come again, and a digest of the token. Whoever takes a row deletes it, so that nobody else resumes it too.
CREATE TABLE sessions (
  shard    integer PRIMARY KEY CHECK (shard >= 0),
  shards   integer NOT NULL CHECK (shards > shard),
  id       text COLLATE "C" NOT NULL CHECK (id <> ''),
  sequence bigint NOT NULL CHECK (sequence > 0),
  token    text COLLATE "C" NOT NULL,
  saved    bigint NOT NULL
);
