-- +goose Up

-- See the migrations for SQLite.
CREATE TABLE public_posts (
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  place  text COLLATE "C" NOT NULL CHECK (place <> ''),
  id     text COLLATE "C" NOT NULL CHECK (id <> ''),
  at     bigint NOT NULL,
  PRIMARY KEY (player, place, id)
);

CREATE INDEX public_posts_at ON public_posts (at);
