-- +goose Up

-- Ranks are counted by the index of places, which has nothing else, so that it is short.
DROP TABLE rank_buckets;
DROP INDEX standings_place;
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place);
