-- +goose Up

-- See the migrations for SQLite.
INSERT INTO standings (venue, player, season, rules, leaderboard, place)
  SELECT venue, player, season, rules, 'rating', place FROM ratings;
INSERT INTO stretches (venue, season, rules, leaderboard, first, length)
  SELECT venue, season, rules, 'rating', CASE WHEN n = 0 THEN '' ELSE min(place) END, count(*)
  FROM (SELECT venue, season, rules, place, (row_number() OVER (PARTITION BY venue, season, rules ORDER BY place) - 1) / 1024 AS n FROM ratings) AS numbered
  GROUP BY venue, season, rules, n;
DROP TABLE rating_buckets;
DROP TABLE ratings;
