-- +goose Up

-- The SQLite migration of the same name explains these tables.
CREATE TABLE unranked (
  venue  text COLLATE "C" NOT NULL CHECK (venue <> ''),
  player text COLLATE "C" NOT NULL CHECK (player NOT IN ('', 'left')),
  why    text COLLATE "C" NOT NULL CHECK (why <> ''),
  PRIMARY KEY (venue, player, why)
);

CREATE INDEX unranked_of ON unranked (player);

ALTER TABLE deeds ADD COLUMN whom text COLLATE "C" CHECK (whom <> '');
CREATE INDEX deeds_whom ON deeds (whom) WHERE whom IS NOT NULL;
