-- +goose Up

-- The SQLite migration of the same name explains these columns.
ALTER TABLE policies ADD COLUMN tidy_ms bigint CHECK (tidy_ms > 0);
ALTER TABLE boards ADD COLUMN shrinks bigint, ADD COLUMN small boolean NOT NULL DEFAULT false;
CREATE INDEX boards_shrinks ON boards (shrinks) WHERE shrinks IS NOT NULL;
