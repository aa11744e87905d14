-- +goose Up

-- best_of is the number of games of the series that a challenge asks for and a match belongs to; 0 outside of series. left_by is the side
-- that aborted a game of a series and so lost the series.
ALTER TABLE challenges ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0 CHECK (best_of IN (0, 3, 5, 7));
ALTER TABLE matches ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0 CHECK (best_of IN (0, 3, 5, 7));
ALTER TABLE matches ADD COLUMN left_by TEXT CHECK (left_by IS NULL OR left_by IN ('X', 'O') AND best_of > 0);
