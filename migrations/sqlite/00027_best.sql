-- +goose Up

-- How many moves a match had that has ended, kept with its review.
ALTER TABLE matches ADD COLUMN plies INTEGER CHECK (plies >= 0);

UPDATE matches SET plies = (SELECT count(*) FROM moves WHERE match = matches.id) WHERE reviewed IS NOT NULL;

-- The matches of a venue between people that are worth seeing, day by day: those that were played out, by their length; those with enough
-- critical moves, by how few of these were errors, and then by how many there were; and those that somebody has won against a better one,
-- by how much better that one still is.
CREATE INDEX matches_by_length ON matches (venue, ended / 86400000, plies, ended DESC, cause)
  WHERE outcome IS NOT NULL AND plies IS NOT NULL AND x_player IS NOT NULL AND o_player IS NOT NULL AND cause IN ('line', 'full board');
CREATE INDEX matches_by_accuracy ON matches (
    venue, ended / 86400000, (x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical), x_critical + o_critical, ended)
  WHERE outcome IS NOT NULL AND x_critical + o_critical >= 4 AND x_player IS NOT NULL AND o_player IS NOT NULL;
CREATE INDEX rated_upsets ON rated (venue, at / 86400000, other_value - value) WHERE score = 1 AND other_value - value > 0;
