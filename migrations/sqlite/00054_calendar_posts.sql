-- +goose Up

-- calendar_posts holds the posts that the bot makes in servers by the calendar.
CREATE TABLE calendar_posts (
  venue    TEXT    NOT NULL CHECK (venue <> ''),
  kind     TEXT    NOT NULL CHECK (kind IN ('puzzle', 'leaderboard')),
  channel  TEXT    CHECK (channel <> ''),  -- NULL if nothing is posted
  language TEXT    NOT NULL DEFAULT '',    -- of the posts; empty if it is not known
  every    TEXT    NOT NULL CHECK (every IN ('day', 'week', 'month')),
  board    TEXT    NOT NULL DEFAULT '',    -- the leaderboard; empty for puzzles
  edit     INTEGER NOT NULL DEFAULT 0 CHECK (edit IN (0, 1)),     -- whether the last post is edited
  message  TEXT    NOT NULL DEFAULT '',    -- the last post; empty if there is none in the channel
  next     INTEGER NOT NULL,               -- the first day on which a bot may begin the next post
  claimed  INTEGER,                        -- when a bot began the latest post; NULL once the result is known
  blocked  INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),  -- whether the bot could not write in the channel when it last tried
  PRIMARY KEY (venue, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_posts_due     ON calendar_posts (kind, next, venue) WHERE channel IS NOT NULL AND claimed IS NULL;
CREATE INDEX calendar_posts_claimed ON calendar_posts (kind, claimed) WHERE claimed IS NOT NULL;

-- The bot tries the channels again in which it could not write.
INSERT INTO calendar_posts (venue, kind, channel, language, every, next, claimed, blocked)
  SELECT venue, 'puzzle', coalesce(channel, closed), language, 'day', next, claimed, closed IS NOT NULL FROM puzzle_posts;
DROP TABLE puzzle_posts;
