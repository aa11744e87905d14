-- +goose Up

-- What users have made of the puzzles of days. A day is counted from 1970-01-01, by UTC.
CREATE TABLE puzzle_attempts (
  player  TEXT    NOT NULL CHECK (player <> ''),
  day     INTEGER NOT NULL,
  started INTEGER NOT NULL,
  presses TEXT    NOT NULL,  -- a letter for each square, "a" for the first, and "!" after each that was wrong
  solved  INTEGER,
  PRIMARY KEY (player, day)
) STRICT, WITHOUT ROWID;

-- Who wants to be listed where among those who have solved puzzles.
CREATE TABLE puzzle_listed (
  venue  TEXT NOT NULL CHECK (venue <> ''),
  player TEXT NOT NULL CHECK (player <> ''),
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX puzzle_listed_of ON puzzle_listed (player);

-- Where servers have the puzzle of each day posted.
CREATE TABLE puzzle_posts (
  venue   TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  channel TEXT    CHECK (channel <> ''),  -- none: it is posted nowhere
  next    INTEGER NOT NULL,               -- the first day that nobody has set about
  claimed INTEGER,                        -- when somebody set about the day before that, until it is known what became of it
  closed  TEXT    CHECK (closed <> '') CHECK (closed IS NULL OR channel IS NULL) -- the channel that was closed to the bot
) STRICT, WITHOUT ROWID;

CREATE INDEX puzzle_posts_due     ON puzzle_posts (next, venue) WHERE channel IS NOT NULL;
CREATE INDEX puzzle_posts_claimed ON puzzle_posts (claimed) WHERE claimed IS NOT NULL;
