-- +goose Up

-- A match knows who proposed it, and may end because the proposer did not show up. What a column may hold cannot be changed in
-- place, so the table is made anew, as in 00003.
CREATE TABLE matches_with_proposers (
  id               TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  series           TEXT    NOT NULL CHECK (series <> ''),
  venue            TEXT    NOT NULL,
  rules            TEXT    NOT NULL,
  x_player         TEXT    CHECK (x_player <> ''),
  x_level          TEXT    CHECK (x_level <> ''),
  o_player         TEXT    CHECK (o_player <> ''),
  o_level          TEXT    CHECK (o_level <> ''),
  turn_ms          INTEGER NOT NULL CHECK (turn_ms > 0),
  deadline         INTEGER,
  outcome          TEXT    CHECK (outcome IN ('X', 'O', 'draw')),
  cause            TEXT    CHECK (cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided', 'no show')),
  rematch          TEXT    CHECK (rematch IN ('proposed', 'declined', 'expired', 'started')),
  rematch_by       TEXT    CHECK (rematch_by <> ''),
  rematch_deadline INTEGER,
  rematch_next     TEXT    CHECK (rematch_next <> ''),
  created          INTEGER NOT NULL,
  ended            INTEGER,
  version          INTEGER NOT NULL CHECK (version > 0),
  proposer         TEXT    CHECK (proposer IN ('X', 'O')), -- who asked for the match; NULL against a computer, and in older matches
  CHECK ((x_player IS NULL) <> (x_level IS NULL)),
  CHECK ((o_player IS NULL) <> (o_level IS NULL)),
  CHECK (x_player <> o_player),
  CHECK ((cause IS NULL) = (ended IS NULL)),
  CHECK ((cause IS NULL) = (deadline IS NOT NULL)),
  CHECK (CASE
    WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
    WHEN cause = 'no show'                               THEN outcome IS NULL AND proposer IS NOT NULL
    WHEN cause IN ('full board', 'moderator')            THEN outcome IS 'draw'
    ELSE outcome IS 'X' OR outcome IS 'O'
  END),
  CHECK (rematch IS NULL OR cause IS NOT NULL),
  CHECK ((rematch IS 'proposed') = (rematch_deadline IS NOT NULL)),
  CHECK ((rematch IS 'started') = (rematch_next IS NOT NULL)),
  CHECK (rematch IS NOT 'proposed' OR rematch_by IS NOT NULL)
) STRICT;

INSERT INTO matches_with_proposers
  SELECT id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause,
    rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version, NULL
  FROM matches;

DROP TABLE matches;
ALTER TABLE matches_with_proposers RENAME TO matches;

CREATE INDEX matches_of_x     ON matches (x_player, ended) WHERE x_player IS NOT NULL;
CREATE INDEX matches_of_o     ON matches (o_player, ended) WHERE o_player IS NOT NULL;
CREATE INDEX matches_series   ON matches (series, x_player, x_level, o_player, o_level, outcome, cause, ended) WHERE ended IS NOT NULL;
CREATE INDEX matches_deadline ON matches (deadline)         WHERE deadline IS NOT NULL;
CREATE INDEX matches_rematch  ON matches (rematch_deadline) WHERE rematch_deadline IS NOT NULL;
CREATE INDEX matches_venue    ON matches (venue, ended, id);

-- +goose StatementBegin
CREATE TRIGGER matches_created AFTER INSERT ON matches BEGIN
  UPDATE boards SET latest = max(latest, NEW.version) WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER matches_changed AFTER UPDATE OF version ON matches BEGIN
  UPDATE boards SET latest = max(latest, NEW.version) WHERE id = NEW.id;
END;
-- +goose StatementEnd
