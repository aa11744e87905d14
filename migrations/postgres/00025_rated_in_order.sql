-- +goose Up

-- See the migrations for SQLite.
CREATE INDEX matches_rated ON matches (venue, rules, ended, id) WHERE stakes IN ('full', 'half') AND outcome IS NOT NULL;
DROP INDEX rated_in_order;
