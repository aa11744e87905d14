-- +goose Up

-- A match knows who proposed it, and may end because the proposer did not show up.
ALTER TABLE matches ADD COLUMN proposer text COLLATE "C";
ALTER TABLE matches DROP CONSTRAINT is_match;
DROP FUNCTION is_match;

-- +goose StatementBegin
CREATE FUNCTION is_match(id text, series text, x_player text, x_level text, o_player text, o_level text, turn_ms bigint,
  deadline bigint, outcome text, cause text, rematch text, rematch_by text, rematch_deadline bigint, rematch_next text,
  ended bigint, version integer, proposer text, held_by text, held_until bigint)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN id <> '' AND series <> '' AND turn_ms > 0 AND version > 0
    AND coalesce(x_player <> '', true) AND coalesce(x_level <> '', true) AND (x_player IS NULL) <> (x_level IS NULL)
    AND coalesce(o_player <> '', true) AND coalesce(o_level <> '', true) AND (o_player IS NULL) <> (o_level IS NULL)
    AND coalesce(x_player <> o_player, true)
    AND coalesce(proposer IN ('X', 'O'), true)
    AND coalesce(outcome IN ('X', 'O', 'draw'), true)
    AND coalesce(cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided', 'no show'), true)
    AND (cause IS NULL) = (ended IS NULL) AND (cause IS NULL) = (deadline IS NOT NULL)
    AND CASE
      WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
      WHEN cause = 'no show'                               THEN outcome IS NULL AND proposer IS NOT NULL
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

ALTER TABLE matches ADD CONSTRAINT is_match CHECK (is_match(id, series, x_player, x_level, o_player, o_level, turn_ms,
  deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, ended, version, proposer, held_by, held_until));
