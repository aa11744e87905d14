-- +goose Up

-- told is the id of the role that posts of open challenges mention; empty if none was chosen.
ALTER TABLE policies ADD COLUMN told TEXT NOT NULL DEFAULT '';
