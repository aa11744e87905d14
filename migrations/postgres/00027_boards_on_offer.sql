-- +goose Up

-- The SQLite migration of the same name explains this column.
ALTER TABLE policies ADD COLUMN boards text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE deeds DROP CONSTRAINT deeds_kind_check;
ALTER TABLE deeds ADD CONSTRAINT deeds_kind_check CHECK (kind <> '');
