-- +goose Up

-- Whether the player of a match against the computer had a hint.
ALTER TABLE matches ADD COLUMN helped INTEGER NOT NULL DEFAULT 0 CHECK (helped IN (0, 1));

-- What players have solved of the course.
CREATE TABLE lessons (
  player TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  lesson TEXT    NOT NULL CHECK (lesson <> ''),
  solved INTEGER NOT NULL, -- when, for the first time
  PRIMARY KEY (player, lesson)
) STRICT, WITHOUT ROWID;
