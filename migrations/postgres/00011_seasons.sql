-- +goose Up

-- See the migrations for SQLite.
CREATE TABLE seasons (
  venue     text COLLATE "C" NOT NULL CHECK (venue <> ''),
  number    integer NOT NULL CHECK (number > 0),
  name      text COLLATE "C" CHECK (name <> ''),
  began     bigint NOT NULL,
  ends      bigint,
  ended     bigint CHECK (ended >= began),
  player    text COLLATE "C" CHECK (player <> ''),
  channel   text COLLATE "C" CHECK (channel <> ''),
  announced bigint,
  PRIMARY KEY (venue, number)
);

CREATE INDEX seasons_end      ON seasons (ends) WHERE ended IS NULL AND ends IS NOT NULL;
CREATE INDEX seasons_announce ON seasons (ended) WHERE ended IS NOT NULL AND channel IS NOT NULL AND announced IS NULL;
CREATE INDEX seasons_of       ON seasons (player);

ALTER TABLE deeds DROP CONSTRAINT deeds_kind_check, DROP CONSTRAINT deeds_check;
ALTER TABLE deeds ADD CONSTRAINT deeds_kind_check
    CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'draw', 'void', 'reset', 'season', 'undo')),
  ADD CONSTRAINT deeds_check CHECK (kind = 'undo' OR (kind IN ('draw', 'void')) = (match IS NOT NULL));
