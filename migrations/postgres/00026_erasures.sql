-- +goose Up

-- The SQLite migration of the same name explains this table. A restore of a backup with an older schema leaves the table in place,
-- with the erasures of users whom the backup brings back, so it is dropped first.
DROP TABLE IF EXISTS erasures;
CREATE TABLE erasures (
  digest text COLLATE "C" PRIMARY KEY CHECK (digest <> ''),
  at     bigint NOT NULL
);

-- installation holds the key of the installation in its only row. A restore of a backup with an older schema leaves the table in place.
CREATE TABLE IF NOT EXISTS installation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  key text COLLATE "C" NOT NULL
);
