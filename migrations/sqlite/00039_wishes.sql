-- +goose Up

-- Two players can agree on a draw, and on taking back a move. SQLite cannot change a CHECK of an existing table, so the table is copied.
CREATE TABLE new_matches (
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
  cause            TEXT    CHECK (cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided', 'no show', 'agreement')),
  rematch          TEXT    CHECK (rematch IN ('proposed', 'declined', 'expired', 'started')),
  rematch_by       TEXT    CHECK (rematch_by <> ''),
  rematch_deadline INTEGER,
  rematch_next     TEXT    CHECK (rematch_next <> ''),
  created          INTEGER NOT NULL,
  ended            INTEGER,
  version          INTEGER NOT NULL CHECK (version > 0),
  proposer         TEXT    CHECK (proposer IN ('X', 'O')),  -- NULL against a computer, and if it was not recorded
  -- What the match counts for its players' ratings, or why it does not count; NULL if it belongs to no ladder.
  stakes           TEXT    CHECK (stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart')),
  -- The review of each side: the number of critical moves, the number of critical moves that were errors, and whether the side made
  -- a comeback.
  x_critical       INTEGER CHECK (x_critical >= 0),
  x_errors         INTEGER CHECK (x_errors BETWEEN 0 AND x_critical),
  x_recovered      INTEGER CHECK (x_recovered IN (0, 1)),
  o_critical       INTEGER CHECK (o_critical >= 0),
  o_errors         INTEGER CHECK (o_errors BETWEEN 0 AND o_critical),
  o_recovered      INTEGER CHECK (o_recovered IN (0, 1)),
  reviewed         INTEGER CHECK (reviewed IN (0, 1)),      -- whether all moves could be judged; NULL before the review
  -- The result of a voided match before it was voided; NULL if it was still running.
  voided_outcome   TEXT    CHECK (voided_outcome IN ('X', 'O', 'draw')),
  voided_cause     TEXT,
  helped           INTEGER NOT NULL DEFAULT 0 CHECK (helped IN (0, 1)),  -- a player got a hint against the computer
  plies            INTEGER CHECK (plies >= 0),              -- stored with the review
  -- The latest wish: for a draw, to take back a move, or declined; who asked, and the number of moves when it was asked.
  wish             TEXT    CHECK (wish IN ('draw', 'take back', 'declined')),
  wish_by          TEXT    CHECK (wish_by IN ('X', 'O')),
  wish_ply         INTEGER NOT NULL DEFAULT 0 CHECK (wish_ply >= 0),
  backs            INTEGER NOT NULL DEFAULT 0 CHECK (backs >= 0),        -- how many take-backs were agreed to
  CHECK ((wish IS NULL) = (wish_by IS NULL)),
  CHECK ((x_player IS NULL) <> (x_level IS NULL)),
  CHECK ((o_player IS NULL) <> (o_level IS NULL)),
  CHECK (x_player <> o_player),
  CHECK ((cause IS NULL) = (ended IS NULL)),
  CHECK ((cause IS NULL) = (deadline IS NOT NULL)),
  CHECK (CASE
    WHEN cause IS NULL OR cause IN ('aborted', 'voided')   THEN outcome IS NULL
    WHEN cause = 'no show'                                 THEN outcome IS NULL AND proposer IS NOT NULL
    WHEN cause IN ('full board', 'moderator', 'agreement') THEN outcome IS 'draw'
    ELSE outcome IS 'X' OR outcome IS 'O'
  END),
  CHECK (rematch IS NULL OR cause IS NOT NULL),
  CHECK ((rematch IS 'proposed') = (rematch_deadline IS NOT NULL)),
  CHECK ((rematch IS 'started') = (rematch_next IS NOT NULL)),
  CHECK (rematch IS NOT 'proposed' OR rematch_by IS NOT NULL),
  CHECK ((reviewed IS 1) = (x_critical IS NOT NULL AND x_errors IS NOT NULL AND x_recovered IS NOT NULL)),
  CHECK ((reviewed IS 1) = (o_critical IS NOT NULL AND o_errors IS NOT NULL AND o_recovered IS NOT NULL)),
  CHECK (CASE
    WHEN voided_cause IS NULL                                     THEN voided_outcome IS NULL
    WHEN cause IS NOT 'voided'                                    THEN 0
    WHEN voided_cause = 'aborted'                                 THEN voided_outcome IS NULL
    WHEN voided_cause = 'no show'                                 THEN voided_outcome IS NULL AND proposer IS NOT NULL
    WHEN voided_cause IN ('full board', 'moderator', 'agreement') THEN voided_outcome IS 'draw'
    ELSE voided_cause IN ('line', 'resignation', 'time') AND (voided_outcome IS 'X' OR voided_outcome IS 'O')
  END)
) STRICT;

INSERT INTO new_matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch,
    rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors,
    x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies)
  SELECT id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline, outcome, cause, rematch,
    rematch_by, rematch_deadline, rematch_next, created, ended, version, proposer, stakes, x_critical, x_errors,
    x_recovered, o_critical, o_errors, o_recovered, reviewed, voided_outcome, voided_cause, helped, plies FROM matches;
DROP TABLE matches;
ALTER TABLE new_matches RENAME TO matches;

CREATE INDEX matches_of_x       ON matches (x_player, ended) WHERE x_player IS NOT NULL;
CREATE INDEX matches_of_o       ON matches (o_player, ended) WHERE o_player IS NOT NULL;
CREATE INDEX matches_series     ON matches (series, x_player, x_level, o_player, o_level, outcome, cause, ended)
  WHERE ended IS NOT NULL;
CREATE INDEX matches_venue      ON matches (venue, ended, id);
CREATE INDEX matches_deadline   ON matches (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX matches_rematch    ON matches (rematch_deadline) WHERE rematch_deadline IS NOT NULL;
CREATE INDEX matches_unreviewed ON matches (ended, id) WHERE outcome IS NOT NULL AND reviewed IS NULL;
-- This index lists the matches of a ladder in order. It has one row for each match, whereas an index of the table rated would have
-- two.
CREATE INDEX matches_rated      ON matches (venue, rules, ended, id) WHERE stakes IN ('full', 'half') AND outcome IS NOT NULL;
-- These indexes list, by day, the matches between people that are worth seeing: the shortest and the longest matches that were
-- played to the end, and those with the fewest errors.
CREATE INDEX matches_by_length ON matches (venue, ended / 86400000, plies, ended DESC, cause)
  WHERE outcome IS NOT NULL AND plies IS NOT NULL AND x_player IS NOT NULL AND o_player IS NOT NULL AND cause IN ('line', 'full board');
CREATE INDEX matches_by_accuracy ON matches (venue, ended / 86400000,
    (x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical), x_critical + o_critical, ended)
  WHERE outcome IS NOT NULL AND x_critical + o_critical >= 4 AND x_player IS NOT NULL AND o_player IS NOT NULL;
