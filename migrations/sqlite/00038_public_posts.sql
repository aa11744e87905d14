-- +goose Up

-- public_posts are the messages that players had the bot post lately, for the limit of them.
CREATE TABLE public_posts (
  player TEXT    NOT NULL CHECK (player <> ''),
  place  TEXT    NOT NULL CHECK (place <> ''),   -- a server or, outside of servers, a channel
  id     TEXT    NOT NULL CHECK (id <> ''),      -- of the interaction or of the pressed button: one that comes again counts once
  at     INTEGER NOT NULL,
  PRIMARY KEY (player, place, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX public_posts_at ON public_posts (at);
