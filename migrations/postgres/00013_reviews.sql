-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE matches
  ADD COLUMN x_critical  integer CHECK (x_critical >= 0),
  ADD COLUMN x_errors    integer CHECK (x_errors BETWEEN 0 AND x_critical),
  ADD COLUMN x_recovered boolean,
  ADD COLUMN o_critical  integer CHECK (o_critical >= 0),
  ADD COLUMN o_errors    integer CHECK (o_errors BETWEEN 0 AND o_critical),
  ADD COLUMN o_recovered boolean,
  ADD COLUMN reviewed    boolean,
  ADD CHECK (coalesce(reviewed, false) = (x_critical IS NOT NULL AND x_errors IS NOT NULL AND x_recovered IS NOT NULL)),
  ADD CHECK (coalesce(reviewed, false) = (o_critical IS NOT NULL AND o_errors IS NOT NULL AND o_recovered IS NOT NULL));

CREATE INDEX matches_unreviewed ON matches (ended, id) WHERE outcome IS NOT NULL AND reviewed IS NULL;
