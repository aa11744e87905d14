-- +goose Up

ALTER TABLE players ADD COLUMN closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)); -- takes no challenges

-- Whom a player has blocked, and below who has to leave a player alone for a while. The other one stands there by id, or
-- veiled, once that one's data was deleted: as a digest of the two, which can be recognised and not read.
CREATE TABLE blocks (
  player  TEXT NOT NULL CHECK (player <> ''),
  blocked TEXT NOT NULL CHECK (blocked <> '' AND blocked <> player),
  PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

CREATE INDEX blocks_of ON blocks (blocked);

CREATE TABLE back_offs (
  player     TEXT    NOT NULL CHECK (player <> ''),
  challenger TEXT    NOT NULL CHECK (challenger <> '' AND challenger <> player),
  weight     INTEGER NOT NULL CHECK (weight > 0),
  until      INTEGER NOT NULL,
  PRIMARY KEY (player, challenger)
) STRICT, WITHOUT ROWID;

CREATE INDEX back_offs_of    ON back_offs (challenger);
CREATE INDEX back_offs_until ON back_offs (until);

-- To find all challenges of one player, answered ones too.
DROP INDEX challenges_from;
DROP INDEX challenges_to;
CREATE INDEX challenges_from ON challenges (challenger, status);
CREATE INDEX challenges_to   ON challenges (challenged, status);

-- The servers that the bot is in, or was in until then.
CREATE TABLE venues (
  id   TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  gone INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX venues_gone ON venues (gone) WHERE gone IS NOT NULL;
