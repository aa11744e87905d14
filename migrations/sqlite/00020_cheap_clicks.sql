-- +goose Up

-- Whoever saves a new version writes it to the board together with the click that it is of, and not by a second change of the row.
DROP TRIGGER matches_created;
DROP TRIGGER matches_changed;
DROP TRIGGER challenges_created;
DROP TRIGGER challenges_changed;
