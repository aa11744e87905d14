-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE challenges DROP CONSTRAINT challenges_check;
ALTER TABLE challenges ADD CONSTRAINT challenges_check CHECK (challenged <> challenger
  AND (challenged <> '' OR status IN ('pending', 'withdrawn', 'expired')));
