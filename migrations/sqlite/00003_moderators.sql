-- +goose Up

-- A match may end as a moderator says. What a column may hold cannot be changed in place, so the table is made anew, with
-- all that stood on it. Moves refer to it by name; they are not touched, and their references are checked afterwards.
CREATE TABLE matches_with_moderators (
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
  cause            TEXT    CHECK (cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided')),
  rematch          TEXT    CHECK (rematch IN ('proposed', 'declined', 'expired', 'started')),
  rematch_by       TEXT    CHECK (rematch_by <> ''),
  rematch_deadline INTEGER,
  rematch_next     TEXT    CHECK (rematch_next <> ''),
  created          INTEGER NOT NULL,
  ended            INTEGER,
  version          INTEGER NOT NULL CHECK (version > 0),
  CHECK ((x_player IS NULL) <> (x_level IS NULL)),
  CHECK ((o_player IS NULL) <> (o_level IS NULL)),
  CHECK (x_player <> o_player),
  CHECK ((cause IS NULL) = (ended IS NULL)),
  CHECK ((cause IS NULL) = (deadline IS NOT NULL)),
  CHECK (CASE
    WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
    WHEN cause IN ('full board', 'moderator')            THEN outcome IS 'draw'
    ELSE outcome IS 'X' OR outcome IS 'O'
  END),
  CHECK (rematch IS NULL OR cause IS NOT NULL),
  CHECK ((rematch IS 'proposed') = (rematch_deadline IS NOT NULL)),
  CHECK ((rematch IS 'started') = (rematch_next IS NOT NULL)),
  CHECK (rematch IS NOT 'proposed' OR rematch_by IS NOT NULL)
) STRICT;

INSERT INTO matches_with_moderators
  SELECT id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause,
    rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version
  FROM matches;

DROP TABLE matches;
ALTER TABLE matches_with_moderators RENAME TO matches;

CREATE INDEX matches_of_x     ON matches (x_player, ended)   WHERE x_player IS NOT NULL;
CREATE INDEX matches_of_o     ON matches (o_player, ended)   WHERE o_player IS NOT NULL;
CREATE INDEX matches_series   ON matches (series, ended, id) WHERE ended IS NOT NULL;
CREATE INDEX matches_deadline ON matches (deadline)          WHERE deadline IS NOT NULL;
CREATE INDEX matches_rematch  ON matches (rematch_deadline)  WHERE rematch_deadline IS NOT NULL;

-- For those who look at the matches of a whole server, those that go on or the last to end.
CREATE INDEX matches_venue ON matches (venue, ended, id);

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

-- What a server says about itself. Lists are texts with spaces between: they are read and replaced as a whole, and nothing
-- is looked up by what is in them.
CREATE TABLE policies (
  venue   TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  places  TEXT    NOT NULL,                            -- where matches may begin; everywhere if empty
  turn_ms INTEGER CHECK (turn_ms > 0),                 -- unless the challenger says otherwise
  levels  TEXT    NOT NULL,                            -- on offer; all if empty
  quiet   INTEGER NOT NULL CHECK (quiet IN (0, 1)),    -- no turn is mentioned
  version INTEGER NOT NULL CHECK (version > 0)
) STRICT, WITHOUT ROWID;

-- What the moderators of a server did; the newest of each server are kept.
CREATE TABLE deeds (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'draw', 'void', 'reset')),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as above
  CHECK ((kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE INDEX deeds_of    ON deeds (player, n);

-- Since when the matches of a server count: those that ended later do.
CREATE TABLE score_resets (
  venue TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
