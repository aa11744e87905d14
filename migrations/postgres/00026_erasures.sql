-- +goose Up

-- See the migrations for SQLite. A restored backup of an older schema leaves this table in place, with rows for what it brings back.
DROP TABLE IF EXISTS erasures;
CREATE TABLE erasures (
  digest text COLLATE "C" PRIMARY KEY CHECK (digest <> ''),
  at     bigint NOT NULL
);

-- The key of the installation, in one row. A restored backup of an older schema leaves it in place.
CREATE TABLE IF NOT EXISTS installation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  key text COLLATE "C" NOT NULL
);
