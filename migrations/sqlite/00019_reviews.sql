-- +goose Up

-- What the review of a match that has ended says of its sides; nothing where not every move could be judged.
ALTER TABLE matches ADD COLUMN x_critical  INTEGER CHECK (x_critical >= 0);                      -- moves with which a win or a draw could be lost
ALTER TABLE matches ADD COLUMN x_errors    INTEGER CHECK (x_errors BETWEEN 0 AND x_critical);    -- of these, those that did
ALTER TABLE matches ADD COLUMN x_recovered INTEGER CHECK (x_recovered IN (0, 1));                -- had only losing moves, and was not lost in the end
ALTER TABLE matches ADD COLUMN o_critical  INTEGER CHECK (o_critical >= 0);
ALTER TABLE matches ADD COLUMN o_errors    INTEGER CHECK (o_errors BETWEEN 0 AND o_critical);
ALTER TABLE matches ADD COLUMN o_recovered INTEGER CHECK (o_recovered IN (0, 1));
ALTER TABLE matches ADD COLUMN reviewed    INTEGER CHECK (reviewed IN (0, 1))                    -- whether they could be; NULL until it is tried
  CHECK ((reviewed IS 1) = (x_critical IS NOT NULL AND x_errors IS NOT NULL AND x_recovered IS NOT NULL))
  CHECK ((reviewed IS 1) = (o_critical IS NOT NULL AND o_errors IS NOT NULL AND o_recovered IS NOT NULL));

-- The matches that are to be reviewed.
CREATE INDEX matches_unreviewed ON matches (ended, id) WHERE outcome IS NOT NULL AND reviewed IS NULL;
