-- +goose Up

-- An open challenge names nobody until somebody accepts it. SQLite changes no check of a table that is there.
CREATE TABLE new_challenges (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  venue      TEXT    NOT NULL,
  challenger TEXT    NOT NULL CHECK (challenger <> ''),
  challenged TEXT    NOT NULL CHECK (challenged <> challenger),           -- empty while a challenge is open
  rules      TEXT    NOT NULL,
  first      TEXT    NOT NULL CHECK (first IN ('random', 'me', 'them')),  -- as the challenger sees it
  turn_ms    INTEGER NOT NULL CHECK (turn_ms > 0),
  status     TEXT    NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  created    INTEGER NOT NULL,
  deadline   INTEGER,
  version    INTEGER NOT NULL CHECK (version > 0),
  casual     INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)),         -- the match is not to be rated
  CHECK ((status = 'pending') = (deadline IS NOT NULL)),
  CHECK (challenged <> '' OR status IN ('pending', 'withdrawn', 'expired'))
) STRICT;

INSERT INTO new_challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual)
  SELECT id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version, casual FROM challenges;
DROP TABLE challenges;
ALTER TABLE new_challenges RENAME TO challenges;

CREATE INDEX challenges_from     ON challenges (challenger, status);
CREATE INDEX challenges_to       ON challenges (challenged, status);
CREATE INDEX challenges_venue    ON challenges (venue);
CREATE INDEX challenges_deadline ON challenges (deadline) WHERE deadline IS NOT NULL;
