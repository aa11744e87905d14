-- +goose Up

-- An arena pairs its entrants for a while. Its games are the matches that name it.
CREATE TABLE arenas (
  id       TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  venue    TEXT    NOT NULL CHECK (venue <> ''),
  channel  TEXT    NOT NULL CHECK (channel <> ''),
  thread   TEXT    NOT NULL,                                 -- empty if the boards are posted in the channel
  message  TEXT    NOT NULL,                                 -- empty until Discord has returned its id
  host     TEXT    NOT NULL CHECK (host <> ''),
  name     TEXT    NOT NULL,
  rules    TEXT    NOT NULL,
  turn_ms  INTEGER NOT NULL CHECK (turn_ms > 0),
  lasts_ms INTEGER NOT NULL CHECK (lasts_ms > 0),
  rated    INTEGER NOT NULL CHECK (rated IN (0, 1)),
  created  INTEGER NOT NULL,
  begins   INTEGER NOT NULL,                                 -- as planned; once it runs, when it began
  ends     INTEGER,
  status   TEXT    NOT NULL CHECK (status IN ('announced', 'running', 'over', 'called off')),
  why      TEXT    CHECK (why IN ('host', 'moderator', 'too few', 'missed')),
  version  INTEGER NOT NULL CHECK (version > 0),
  CHECK ((status = 'announced') = (ends IS NULL)),
  CHECK ((status = 'called off') = (why IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX arenas_open ON arenas (channel) WHERE status IN ('announced', 'running');
CREATE INDEX arenas_venue       ON arenas (venue, ends);
CREATE INDEX arenas_host        ON arenas (host);

CREATE TABLE entrants (
  arena  TEXT    NOT NULL,
  player TEXT    NOT NULL CHECK (player <> ''),
  joined INTEGER NOT NULL,
  since  INTEGER NOT NULL,                                   -- when the player last joined or resumed
  state  TEXT    NOT NULL CHECK (state IN ('ready', 'paused', 'left', 'removed')),
  PRIMARY KEY (arena, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX entrants_of ON entrants (player);

ALTER TABLE matches ADD COLUMN arena TEXT CHECK (arena <> '');
CREATE INDEX matches_arena ON matches (arena, created, id) WHERE arena IS NOT NULL;
