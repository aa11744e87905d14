-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE players  ADD COLUMN hidden      boolean NOT NULL DEFAULT false;
ALTER TABLE policies ADD COLUMN no_profiles boolean NOT NULL DEFAULT false;
ALTER TABLE deeds DROP CONSTRAINT deeds_kind_check, ADD CONSTRAINT deeds_kind_check 
  CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'draw', 'void', 'reset'));
