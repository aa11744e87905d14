-- +goose Up

-- In the match of a crowd, the people of a channel play a side together. Such a side has 'crowd', 'team one' or 'team two' as its level.
ALTER TABLE matches ADD COLUMN host TEXT CHECK (host <> '');                          -- who began it
ALTER TABLE matches ADD COLUMN place TEXT CHECK ((place IS NULL) = (host IS NULL));   -- the channel

CREATE UNIQUE INDEX matches_crowd ON matches (place) WHERE place IS NOT NULL AND ended IS NULL;
CREATE INDEX matches_of_crowds    ON matches (venue) WHERE place IS NOT NULL;
CREATE INDEX matches_of_host      ON matches (host) WHERE host IS NOT NULL;

-- votes holds who has voted in the running match of a crowd.
CREATE TABLE votes (
  match  TEXT    NOT NULL REFERENCES matches (id),
  player TEXT    NOT NULL CHECK (player <> ''),
  side   TEXT    NOT NULL CHECK (side IN ('X', 'O')),  -- the side that the player joined with the first vote
  ply    INTEGER NOT NULL CHECK (ply >= 0),            -- the number of moves before the player's latest vote
  square INTEGER NOT NULL CHECK (square >= 0),         -- the voted square; 0 and without meaning once the move was made
  since  INTEGER NOT NULL CHECK (since >= 0),          -- the version of the match that began with the vote; 0 once the move was made
  PRIMARY KEY (match, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX votes_of ON votes (player);
