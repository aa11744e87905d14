-- +goose Up

-- unranked holds who has no place on the leaderboards of a server, and why. The places of these players in standings begin with ~, which
-- sorts after all other places.
CREATE TABLE unranked (
  venue  TEXT NOT NULL CHECK (venue <> ''),
  player TEXT NOT NULL CHECK (player NOT IN ('', 'left')),
  why    TEXT NOT NULL CHECK (why <> ''),             -- moderator: a moderator took the player off
  PRIMARY KEY (venue, player, why)
) STRICT, WITHOUT ROWID;

CREATE INDEX unranked_of ON unranked (player);

-- whom is the user that a deed concerns.
ALTER TABLE deeds ADD COLUMN whom TEXT CHECK (whom <> '');
CREATE INDEX deeds_whom ON deeds (whom) WHERE whom IS NOT NULL;
