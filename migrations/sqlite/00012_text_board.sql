-- +goose Up

ALTER TABLE players ADD COLUMN text_board INTEGER NOT NULL DEFAULT 0 CHECK (text_board IN (0, 1)); -- wants words in place of pictures
