-- +goose Up

-- See the migrations for SQLite.
INSERT INTO recounts (venue, player) SELECT DISTINCT venue, player FROM scores WHERE venue <> '' AND level <> '' ON CONFLICT DO NOTHING;
