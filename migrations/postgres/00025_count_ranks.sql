-- +goose Up

-- See the migrations for SQLite.
DROP TABLE rank_buckets;
DROP INDEX standings_place;
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place);
