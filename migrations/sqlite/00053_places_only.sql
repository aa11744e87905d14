-- +goose Up

-- places_only is 1 if leaderboards and profiles are public only in the places where matches may begin.
ALTER TABLE policies ADD COLUMN places_only INTEGER NOT NULL DEFAULT 0 CHECK (places_only IN (0, 1));
