-- +goose Up

-- The SQLite migration of the same name explains this column.
ALTER TABLE policies ADD COLUMN places_only boolean NOT NULL DEFAULT false;
