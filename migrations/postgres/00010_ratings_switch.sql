-- +goose Up

-- Moderators switch ratings on and off, too: one more kind of what they did.
ALTER TABLE deeds DROP CONSTRAINT deeds_kind_check;
ALTER TABLE deeds ADD CONSTRAINT deeds_kind_check
  CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'draw', 'void', 'reset'));
