-- +goose Up

-- rank_roles holds the roles that the bot gives in servers for ranks.
CREATE TABLE rank_roles (
  venue   TEXT NOT NULL CHECK (venue <> ''),
  role    TEXT NOT NULL CHECK (role <> ''),
  board   TEXT NOT NULL CHECK (board <> ''),   -- the offered rule set whose ladder counts
  merit   TEXT NOT NULL CHECK (merit <> ''),   -- what earns the role, such as top3, rated1600 or champion
  problem TEXT NOT NULL DEFAULT '',            -- why the bot cannot give the role; empty if no reason is known
  PRIMARY KEY (venue, role)
) STRICT, WITHOUT ROWID;

-- role_grants holds who was given such a role.
CREATE TABLE role_grants (
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  role   TEXT    NOT NULL CHECK (role <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  state  TEXT    NOT NULL CHECK (state IN ('giving', 'given', 'taking', 'theirs', 'absent')),
  at     INTEGER NOT NULL,                     -- since when the grant has that state
  PRIMARY KEY (venue, role, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX role_grants_of ON role_grants (player);
