-- +goose Up

-- Postgres reads the text of every CHECK of a table anew for each statement that writes a row: for the 24 of matches that
-- took longer than all else of saving a move. A function is read once for each connection, and says the same.
-- +goose StatementBegin
CREATE FUNCTION is_match(id text, series text, x_player text, x_level text, o_player text, o_level text, turn_ms bigint,
  deadline bigint, outcome text, cause text, rematch text, rematch_by text, rematch_deadline bigint, rematch_next text,
  ended bigint, version integer, held_by text, held_until bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN id <> '' AND series <> '' AND turn_ms > 0 AND version > 0
    AND coalesce(x_player <> '', true) AND coalesce(x_level <> '', true) AND (x_player IS NULL) <> (x_level IS NULL)
    AND coalesce(o_player <> '', true) AND coalesce(o_level <> '', true) AND (o_player IS NULL) <> (o_level IS NULL)
    AND coalesce(x_player <> o_player, true)
    AND coalesce(outcome IN ('X', 'O', 'draw'), true)
    AND coalesce(cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided'), true)
    AND (cause IS NULL) = (ended IS NULL) AND (cause IS NULL) = (deadline IS NOT NULL)
    AND CASE
      WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
      WHEN cause IN ('full board', 'moderator')            THEN coalesce(outcome = 'draw', false)
      ELSE coalesce(outcome IN ('X', 'O'), false)
    END
    AND coalesce(rematch IN ('proposed', 'declined', 'expired', 'started'), true)
    AND coalesce(rematch_by <> '', true) AND coalesce(rematch_next <> '', true)
    AND (rematch IS NULL OR cause IS NOT NULL)
    AND coalesce(rematch = 'proposed', false) = (rematch_deadline IS NOT NULL)
    AND coalesce(rematch = 'started', false) = (rematch_next IS NOT NULL)
    AND (coalesce(rematch <> 'proposed', true) OR rematch_by IS NOT NULL)
    AND (held_by IS NULL) = (held_until IS NULL);
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION is_board(id text, shown integer, latest integer, mention_ply integer, refused integer)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN id <> '' AND shown >= 0 AND latest >= 0 AND mention_ply >= 0 AND refused >= 0;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE
  of_table text;
  old      text;
BEGIN
  FOR of_table, old IN SELECT conrelid::regclass, conname FROM pg_constraint
    WHERE conrelid IN ('tictactoe.matches'::regclass, 'tictactoe.boards'::regclass) AND contype = 'c'
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', of_table, old);
  END LOOP;
END
$$;
-- +goose StatementEnd

ALTER TABLE matches ADD CONSTRAINT is_match CHECK (is_match(id, series, x_player, x_level, o_player, o_level, turn_ms,
  deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, ended, version, held_by, held_until));
ALTER TABLE boards ADD CONSTRAINT is_board CHECK (is_board(id, shown, latest, mention_ply, refused));
