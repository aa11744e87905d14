-- +goose Up

-- The SQLite migration of the same name explains these columns.
ALTER TABLE matches ADD COLUMN wish text COLLATE "C";
ALTER TABLE matches ADD COLUMN wish_by text COLLATE "C";
ALTER TABLE matches ADD COLUMN wish_ply integer NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN backs integer NOT NULL DEFAULT 0;

ALTER TABLE matches DROP CONSTRAINT is_match;
DROP FUNCTION is_match;
-- +goose StatementBegin
CREATE FUNCTION is_match(id text, series text, x_player text, x_level text, o_player text, o_level text, turn_ms bigint,
  deadline bigint, outcome text, cause text, voided_outcome text, voided_cause text, rematch text, rematch_by text,
  rematch_deadline bigint, rematch_next text, ended bigint, version integer, proposer text, stakes text,
  reviewed boolean, x_critical integer, x_errors integer, x_recovered boolean, o_critical integer, o_errors integer,
  o_recovered boolean, held_by text, held_until bigint,
  wish text, wish_by text, wish_ply integer, backs integer)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN id <> '' AND series <> '' AND turn_ms > 0 AND version > 0
    AND coalesce(x_player <> '', true) AND coalesce(x_level <> '', true) AND (x_player IS NULL) <> (x_level IS NULL)
    AND coalesce(o_player <> '', true) AND coalesce(o_level <> '', true) AND (o_player IS NULL) <> (o_level IS NULL)
    AND coalesce(x_player <> o_player, true)
    AND coalesce(proposer IN ('X', 'O'), true)
    AND coalesce(outcome IN ('X', 'O', 'draw'), true)
    AND coalesce(cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided', 'no show', 'agreement'), true)
    AND (cause IS NULL) = (ended IS NULL) AND (cause IS NULL) = (deadline IS NOT NULL)
    AND CASE
      WHEN cause IS NULL OR cause IN ('aborted', 'voided')   THEN outcome IS NULL
      WHEN cause = 'no show'                                 THEN outcome IS NULL AND proposer IS NOT NULL
      WHEN cause IN ('full board', 'moderator', 'agreement') THEN coalesce(outcome = 'draw', false)
      ELSE coalesce(outcome IN ('X', 'O'), false)
    END
    AND coalesce(rematch IN ('proposed', 'declined', 'expired', 'started'), true)
    AND coalesce(rematch_by <> '', true) AND coalesce(rematch_next <> '', true)
    AND (rematch IS NULL OR cause IS NOT NULL)
    AND coalesce(rematch = 'proposed', false) = (rematch_deadline IS NOT NULL)
    AND coalesce(rematch = 'started', false) = (rematch_next IS NOT NULL)
    AND (coalesce(rematch <> 'proposed', true) OR rematch_by IS NOT NULL)
    AND (held_by IS NULL) = (held_until IS NULL)
    AND (wish IS NULL) = (wish_by IS NULL) AND wish_ply >= 0 AND backs >= 0
    AND coalesce(wish IN ('draw', 'take back', 'declined') AND wish_by IN ('X', 'O'), true)
    AND coalesce(stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart'), true)
    AND CASE
      WHEN voided_cause IS NULL                                     THEN voided_outcome IS NULL
      WHEN coalesce(cause <> 'voided', true)                        THEN false
      WHEN voided_cause = 'aborted'                                 THEN voided_outcome IS NULL
      WHEN voided_cause = 'no show'                                 THEN voided_outcome IS NULL AND proposer IS NOT NULL
      WHEN voided_cause IN ('full board', 'moderator', 'agreement') THEN coalesce(voided_outcome = 'draw', false)
      ELSE voided_cause IN ('line', 'resignation', 'time') AND coalesce(voided_outcome IN ('X', 'O'), false)
    END
    AND CASE
      WHEN coalesce(reviewed, false)
        THEN coalesce(x_errors >= 0 AND x_errors <= x_critical AND o_errors >= 0 AND o_errors <= o_critical, false)
        AND x_recovered IS NOT NULL AND o_recovered IS NOT NULL
      ELSE coalesce(x_critical, x_errors, o_critical, o_errors) IS NULL AND coalesce(x_recovered, o_recovered) IS NULL
    END;
END
$$;
-- +goose StatementEnd

ALTER TABLE matches ADD CONSTRAINT is_match CHECK (is_match(id, series, x_player, x_level, o_player, o_level, turn_ms,
  deadline, outcome, cause, voided_outcome, voided_cause, rematch, rematch_by, rematch_deadline, rematch_next, ended, version,
  proposer, stakes, reviewed, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, held_by, held_until,
  wish, wish_by, wish_ply, backs));
