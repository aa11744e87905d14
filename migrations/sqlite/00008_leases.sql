-- +goose Up

-- Who has what, until when. A process that has one may do what it stands for; nobody else may.
CREATE TABLE leases (
  name    TEXT    NOT NULL PRIMARY KEY CHECK (name <> ''),
  holder  TEXT    NOT NULL CHECK (holder <> ''),
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last time that the bot could hear its players: now a row for each part of the venues, all of one number of parts.
CREATE TABLE presence_of_parts (
  part      INTEGER NOT NULL PRIMARY KEY CHECK (part >= 0),
  parts     INTEGER NOT NULL CHECK (parts > part),
  last_seen INTEGER NOT NULL
) STRICT;

INSERT INTO presence_of_parts (part, parts, last_seen) SELECT 0, 1, last_seen FROM presence;
DROP TABLE presence;
ALTER TABLE presence_of_parts RENAME TO presence;
