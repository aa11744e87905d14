-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE ratings ADD COLUMN season integer NOT NULL DEFAULT 0;
ALTER TABLE ratings ALTER COLUMN season DROP DEFAULT, DROP CONSTRAINT ratings_pkey, ADD PRIMARY KEY (venue, rules, player, season);

DROP INDEX ratings_place;
CREATE UNIQUE INDEX ratings_place ON ratings (venue, rules, season, place);

ALTER TABLE rating_buckets ADD COLUMN season integer NOT NULL DEFAULT 0;
ALTER TABLE rating_buckets ALTER COLUMN season DROP DEFAULT, DROP CONSTRAINT rating_buckets_pkey, ADD PRIMARY KEY (venue, rules, season, first);

DROP INDEX rated_player;
CREATE INDEX rated_met ON rated (player, opponent, venue, rules, at, match);
