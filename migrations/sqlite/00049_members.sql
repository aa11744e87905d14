-- +goose Up

-- Who has left a server, and who has one of the roles in staff, can be left out of its leaderboards; see the table unranked.
ALTER TABLE policies ADD COLUMN leavers_off INTEGER NOT NULL DEFAULT 0 CHECK (leavers_off IN (0, 1));
ALTER TABLE policies ADD COLUMN staff TEXT NOT NULL DEFAULT '';

-- member_checks holds when Discord was asked whether a player is a member of a server.
CREATE TABLE member_checks (
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  at     INTEGER NOT NULL,
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX member_checks_of ON member_checks (player);
CREATE INDEX member_checks_at ON member_checks (at);
