-- +goose Up

-- arenas is 1 if anybody may start an arena, not only moderators.
ALTER TABLE policies ADD COLUMN arenas INTEGER NOT NULL DEFAULT 0 CHECK (arenas IN (0, 1));

-- A win over the computer of a player who moved first on infinite counts on that board only. Until the recount it still counts on all boards.
INSERT INTO recounts (venue, player) SELECT DISTINCT venue, x_player FROM matches
  WHERE outcome = 'X' AND rules = '3x3x3+keep3' AND o_level IS NOT NULL AND x_player <> 'left' ON CONFLICT DO NOTHING;
