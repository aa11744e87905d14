-- +goose Up

-- The emoji that were brought to Discord, for each application, with a hash of their picture. What has no row is brought.
CREATE TABLE emoji (
  application TEXT NOT NULL CHECK (application <> ''),
  id          TEXT NOT NULL CHECK (id <> ''),
  name        TEXT NOT NULL CHECK (name <> ''),
  hash        TEXT NOT NULL CHECK (hash <> ''),
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
