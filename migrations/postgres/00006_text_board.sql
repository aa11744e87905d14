-- +goose Up

ALTER TABLE players ADD COLUMN text_board boolean NOT NULL DEFAULT false; -- wants words in place of pictures
