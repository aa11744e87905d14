-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE matches ADD COLUMN helped boolean NOT NULL DEFAULT false;

CREATE TABLE lessons (
  player text COLLATE "C" NOT NULL CHECK (player NOT IN ('', 'left')),
  lesson text COLLATE "C" NOT NULL CHECK (lesson <> ''),
  solved bigint NOT NULL,
  PRIMARY KEY (player, lesson)
);
