-- +goose Up

-- The private line that a player has under a board, and the token of the interaction by which it can be edited and deleted until
-- then. What has expired is deleted.
CREATE TABLE asides (
  board   text COLLATE "C" NOT NULL CHECK (board <> ''),
  player  text COLLATE "C" NOT NULL CHECK (player <> ''),
  token   text COLLATE "C" NOT NULL CHECK (token <> ''),
  message text COLLATE "C" NOT NULL CHECK (message <> ''), -- its id, or @original
  expires bigint NOT NULL,
  PRIMARY KEY (board, player)
);

CREATE INDEX asides_of     ON asides (player);
CREATE INDEX asides_expire ON asides (expires);
