-- +goose Up

-- The SQLite migration of the same name explains these tables.
CREATE TABLE arenas (
  id       text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  venue    text COLLATE "C" NOT NULL CHECK (venue <> ''),
  channel  text COLLATE "C" NOT NULL CHECK (channel <> ''),
  thread   text COLLATE "C" NOT NULL,
  message  text COLLATE "C" NOT NULL,
  host     text COLLATE "C" NOT NULL CHECK (host <> ''),
  name     text COLLATE "C" NOT NULL,
  rules    text COLLATE "C" NOT NULL,
  turn_ms  bigint NOT NULL CHECK (turn_ms > 0),
  lasts_ms bigint NOT NULL CHECK (lasts_ms > 0),
  rated    boolean NOT NULL,
  created  bigint NOT NULL,
  begins   bigint NOT NULL,
  ends     bigint,
  status   text COLLATE "C" NOT NULL CHECK (status IN ('announced', 'running', 'over', 'called off')),
  why      text COLLATE "C" CHECK (why IN ('host', 'moderator', 'too few', 'missed')),
  version  integer NOT NULL CHECK (version > 0),
  CHECK ((status = 'announced') = (ends IS NULL)),
  CHECK ((status = 'called off') = (why IS NOT NULL))
);

CREATE UNIQUE INDEX arenas_open ON arenas (channel) WHERE status IN ('announced', 'running');
CREATE INDEX arenas_venue       ON arenas (venue, ends);
CREATE INDEX arenas_host        ON arenas (host);

CREATE TABLE entrants (
  arena  text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  joined bigint NOT NULL,
  since  bigint NOT NULL,
  state  text COLLATE "C" NOT NULL CHECK (state IN ('ready', 'paused', 'left', 'removed')),
  PRIMARY KEY (arena, player)
);

CREATE INDEX entrants_of ON entrants (player);

ALTER TABLE matches ADD COLUMN arena text COLLATE "C" CHECK (arena <> '');
CREATE INDEX matches_arena ON matches (arena, created, id) WHERE arena IS NOT NULL;
