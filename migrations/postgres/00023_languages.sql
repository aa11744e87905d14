-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE players      ADD COLUMN language text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE policies     ADD COLUMN language text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE seasons      ADD COLUMN language text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE puzzle_posts ADD COLUMN language text COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE deeds DROP CONSTRAINT deeds_kind_check;
ALTER TABLE deeds ADD CONSTRAINT deeds_kind_check
  CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'features', 'daily', 'language', 'draw', 'void', 'reset', 'season', 'undo'));
