-- +goose Up

-- The SQLite migration of the same name explains this.
ALTER TABLE policies ADD COLUMN arenas boolean NOT NULL DEFAULT false;

INSERT INTO recounts (venue, player) SELECT DISTINCT venue, x_player FROM matches
  WHERE outcome = 'X' AND rules = '3x3x3+keep3' AND o_level IS NOT NULL AND x_player <> 'left' ON CONFLICT DO NOTHING;
