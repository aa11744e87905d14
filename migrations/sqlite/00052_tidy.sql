-- +goose Up

-- tidy_ms is how long after its end the board of a match shrinks to one line; NULL if it does not.
ALTER TABLE policies ADD COLUMN tidy_ms INTEGER CHECK (tidy_ms > 0);

-- shrinks is when the board has to shrink, and small is 1 once it does.
ALTER TABLE boards ADD COLUMN shrinks INTEGER;
ALTER TABLE boards ADD COLUMN small INTEGER NOT NULL DEFAULT 0 CHECK (small IN (0, 1));
CREATE INDEX boards_shrinks ON boards (shrinks) WHERE shrinks IS NOT NULL;
