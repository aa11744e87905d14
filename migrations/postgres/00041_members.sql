-- +goose Up

-- The SQLite migration of the same name explains this.
ALTER TABLE policies ADD COLUMN leavers_off boolean NOT NULL DEFAULT false;
ALTER TABLE policies ADD COLUMN staff text COLLATE "C" NOT NULL DEFAULT '';

CREATE TABLE member_checks (
  venue  text COLLATE "C" NOT NULL CHECK (venue <> ''),
  player text COLLATE "C" NOT NULL CHECK (player NOT IN ('', 'left')),
  at     bigint NOT NULL,
  PRIMARY KEY (venue, player)
);

CREATE INDEX member_checks_of ON member_checks (player);
CREATE INDEX member_checks_at ON member_checks (at);
