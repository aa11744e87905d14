-- +goose Up

-- The private line that a player has under a board, and the token of the interaction by which it can be edited and deleted until
-- then. What has expired is deleted.
CREATE TABLE asides (
  board   TEXT    NOT NULL CHECK (board <> ''),
  player  TEXT    NOT NULL CHECK (player <> ''),
  token   TEXT    NOT NULL CHECK (token <> ''),
  message TEXT    NOT NULL CHECK (message <> ''), -- its id, or @original
  expires INTEGER NOT NULL,
  PRIMARY KEY (board, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX asides_of     ON asides (player);
CREATE INDEX asides_expire ON asides (expires);
