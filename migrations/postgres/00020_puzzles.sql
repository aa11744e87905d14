-- +goose Up

-- See the migrations for SQLite.
CREATE TABLE puzzle_attempts (
  player  text COLLATE "C" NOT NULL CHECK (player <> ''),
  day     integer NOT NULL,
  started bigint NOT NULL,
  presses text COLLATE "C" NOT NULL,
  solved  bigint,
  PRIMARY KEY (player, day)
);

CREATE TABLE puzzle_listed (
  venue  text COLLATE "C" NOT NULL CHECK (venue <> ''),
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  PRIMARY KEY (venue, player)
);

CREATE INDEX puzzle_listed_of ON puzzle_listed (player);

CREATE TABLE puzzle_posts (
  venue   text COLLATE "C" NOT NULL PRIMARY KEY CHECK (venue <> ''),
  channel text COLLATE "C" CHECK (channel <> ''),
  next    integer NOT NULL,
  claimed bigint,
  closed  text COLLATE "C" CHECK (closed <> ''),
  CHECK (closed IS NULL OR channel IS NULL)
);

CREATE INDEX puzzle_posts_due     ON puzzle_posts (next, venue) WHERE channel IS NOT NULL;
CREATE INDEX puzzle_posts_claimed ON puzzle_posts (claimed) WHERE claimed IS NOT NULL;
