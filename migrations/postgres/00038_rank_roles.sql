-- +goose Up

-- The SQLite migration of the same name explains these tables.
CREATE TABLE rank_roles (
  venue   text COLLATE "C" NOT NULL CHECK (venue <> ''),
  role    text COLLATE "C" NOT NULL CHECK (role <> ''),
  board   text COLLATE "C" NOT NULL CHECK (board <> ''),
  merit   text COLLATE "C" NOT NULL CHECK (merit <> ''),
  problem text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (venue, role)
);

CREATE TABLE role_grants (
  venue  text COLLATE "C" NOT NULL CHECK (venue <> ''),
  role   text COLLATE "C" NOT NULL CHECK (role <> ''),
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  state  text COLLATE "C" NOT NULL CHECK (state IN ('giving', 'given', 'taking', 'theirs', 'absent')),
  at     bigint NOT NULL,
  PRIMARY KEY (venue, role, player)
);

CREATE INDEX role_grants_of ON role_grants (player);
