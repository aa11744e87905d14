-- +goose Up

-- See the migrations for SQLite.
ALTER TABLE matches ADD COLUMN plies integer CHECK (plies >= 0);

UPDATE matches SET plies = (SELECT count(*) FROM moves WHERE match = matches.id) WHERE reviewed IS NOT NULL;

CREATE INDEX matches_by_length ON matches (venue, (ended / 86400000), plies, ended DESC, cause)
  WHERE outcome IS NOT NULL AND plies IS NOT NULL AND x_player IS NOT NULL AND o_player IS NOT NULL AND cause IN ('line', 'full board');
CREATE INDEX matches_by_accuracy ON matches (
    venue, (ended / 86400000), ((x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical)), (x_critical + o_critical), ended)
  WHERE outcome IS NOT NULL AND x_critical + o_critical >= 4 AND x_player IS NOT NULL AND o_player IS NOT NULL;
CREATE INDEX rated_upsets ON rated (venue, (at / 86400000), (other_value - value)) WHERE score = 1 AND other_value - value > 0;
