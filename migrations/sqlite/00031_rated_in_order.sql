-- +goose Up

-- The rows of a ladder from a match on are found by their matches: one row of an index for each match instead of two.
CREATE INDEX matches_rated ON matches (venue, rules, ended, id) WHERE stakes IN ('full', 'half') AND outcome IS NOT NULL;
DROP INDEX rated_in_order;
