-- +goose Up

-- The SQLite migration of the same name explains this table.
CREATE TABLE calendar_posts (
  venue    text COLLATE "C" NOT NULL CHECK (venue <> ''),
  kind     text COLLATE "C" NOT NULL CHECK (kind IN ('puzzle', 'leaderboard')),
  channel  text COLLATE "C" CHECK (channel <> ''),
  language text COLLATE "C" NOT NULL DEFAULT '',
  every    text COLLATE "C" NOT NULL CHECK (every IN ('day', 'week', 'month')),
  board    text COLLATE "C" NOT NULL DEFAULT '',
  edit     boolean NOT NULL DEFAULT false,
  message  text COLLATE "C" NOT NULL DEFAULT '',
  next     integer NOT NULL,
  claimed  bigint,
  blocked  boolean NOT NULL DEFAULT false,
  PRIMARY KEY (venue, kind)
);

CREATE INDEX calendar_posts_due     ON calendar_posts (kind, next, venue) WHERE channel IS NOT NULL AND claimed IS NULL;
CREATE INDEX calendar_posts_claimed ON calendar_posts (kind, claimed) WHERE claimed IS NOT NULL;

INSERT INTO calendar_posts (venue, kind, channel, language, every, next, claimed, blocked)
  SELECT venue, 'puzzle', coalesce(channel, closed), language, 'day', next, claimed, closed IS NOT NULL FROM puzzle_posts;
DROP TABLE puzzle_posts;
