-- +goose Up

-- was is the kind and the choice before, for a setting of a server; empty for other entries, and for entries of older versions.
ALTER TABLE deeds ADD COLUMN was TEXT NOT NULL DEFAULT '';
