-- +goose Up

-- The SQLite migration of the same name explains this table.
CREATE TABLE bars (
  venue  text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL CHECK (player <> 'left'),
  until  bigint,
  PRIMARY KEY (venue, player),
  CHECK (venue <> '' OR player <> '')
);

CREATE INDEX bars_of    ON bars (player);
CREATE INDEX bars_until ON bars (until) WHERE until IS NOT NULL;
