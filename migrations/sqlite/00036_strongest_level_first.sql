-- +goose Up

-- The leaderboard against the computer is sorted by the strongest beaten level first. Until the recount a player keeps the former place.
INSERT INTO recounts (venue, player) SELECT DISTINCT venue, player FROM scores WHERE venue <> '' AND level <> '' ON CONFLICT DO NOTHING;
