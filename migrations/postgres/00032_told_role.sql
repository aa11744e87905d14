-- +goose Up

-- The SQLite migration of the same name explains this column.
ALTER TABLE policies ADD COLUMN told text COLLATE "C" NOT NULL DEFAULT '';
