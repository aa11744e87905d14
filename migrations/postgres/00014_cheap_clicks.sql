-- +goose Up

-- Whoever saves a new version writes it to the board together with the click that it is of, and not by a second change of the row.
DROP TRIGGER matches_created    ON matches;
DROP TRIGGER matches_changed    ON matches;
DROP TRIGGER challenges_created ON challenges;
DROP TRIGGER challenges_changed ON challenges;
DROP FUNCTION tell_board();

-- slot is when a deadline comes due, in steps of 65,536 ms. An UPDATE that changes no column of any index is heap-only: it adds to no
-- index, of which a match has six. Most moves leave the slot what it is, since they are made within a minute of the one before.
DROP INDEX matches_due;
ALTER TABLE matches SET (fillfactor = 80);
ALTER TABLE boards  SET (fillfactor = 80);
ALTER TABLE matches ADD COLUMN slot bigint GENERATED ALWAYS AS (coalesce(deadline, rematch_deadline) >> 16) STORED;
CREATE INDEX matches_slot ON matches (slot) WHERE slot IS NOT NULL;
