-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE challenges ADD COLUMN best_of integer NOT NULL DEFAULT 0 CHECK (best_of IN (0, 3, 5, 7));
ALTER TABLE matches ADD COLUMN best_of integer NOT NULL DEFAULT 0 CHECK (best_of IN (0, 3, 5, 7));
ALTER TABLE matches ADD COLUMN left_by text COLLATE "C" CHECK (left_by IS NULL OR left_by IN ('X', 'O') AND best_of > 0);
