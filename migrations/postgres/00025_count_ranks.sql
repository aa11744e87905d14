-- +goose Up

-- The SQLite migration of the same name gives the reason.
DROP TABLE rank_buckets;
DROP INDEX standings_place;
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place);
