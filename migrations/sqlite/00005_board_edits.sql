-- +goose Up

-- The name of the edit of the message that may be under way: it may put an older version there than is said to be shown.
ALTER TABLE boards ADD COLUMN edit TEXT NOT NULL DEFAULT '';

DROP INDEX boards_behind;
CREATE INDEX boards_behind ON boards (id) WHERE shown < latest OR edit <> '';
