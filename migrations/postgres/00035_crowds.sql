-- +goose Up

-- The SQLite migration of the same name explains these columns and the table.
ALTER TABLE matches ADD COLUMN host text COLLATE "C" CHECK (host <> '');
ALTER TABLE matches ADD COLUMN place text COLLATE "C" CHECK ((place IS NULL) = (host IS NULL));

CREATE UNIQUE INDEX matches_crowd ON matches (place) WHERE place IS NOT NULL AND ended IS NULL;
CREATE INDEX matches_of_crowds    ON matches (venue) WHERE place IS NOT NULL;
CREATE INDEX matches_of_host      ON matches (host) WHERE host IS NOT NULL;

CREATE TABLE votes (
  match  text COLLATE "C" NOT NULL REFERENCES matches (id),
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  side   text COLLATE "C" NOT NULL CHECK (side IN ('X', 'O')),
  ply    integer NOT NULL CHECK (ply >= 0),
  square integer NOT NULL CHECK (square >= 0),
  since  integer NOT NULL CHECK (since >= 0),
  PRIMARY KEY (match, player)
);

CREATE INDEX votes_of ON votes (player);
