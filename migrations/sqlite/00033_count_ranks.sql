-- +goose Up

-- Ranks are counted in the index of places. The index has no other columns, so a count reads few pages.
DROP TABLE rank_buckets;
DROP INDEX standings_place;
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place);
