-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE policies ADD COLUMN off text COLLATE "C" NOT NULL DEFAULT '';
UPDATE policies SET off = 'profiles' WHERE no_profiles;
ALTER TABLE policies DROP COLUMN no_profiles;

ALTER TABLE deeds DROP CONSTRAINT deeds_kind_check;
ALTER TABLE deeds ADD CONSTRAINT deeds_kind_check
  CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'features', 'daily', 'draw', 'void', 'reset', 'season', 'undo'));
